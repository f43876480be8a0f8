/**
 * Runs Prisma's command line without its local database server and its Studio, which package.json leaves out of the
 * installation: it loads them whatever the command is.
 */
const Module = require('node:module');

const load = Module._load;
Module._load = (name, ...rest) => (/^@prisma\/(?:dev|studio-core)\//.test(name) ? {} : load(name, ...rest));
require('prisma/build/index.js');
