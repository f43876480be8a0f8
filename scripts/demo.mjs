/** `npm run demo`: builds the service and the demo, then runs the demo in this very process with the arguments given. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildService, generateClient, installTests, prepare, root } from './prepare.mjs';

prepare(
  installTests,
  generateClient,
  () => buildService(),
  () => buildService(['demo/main.ts'], 'dist-demo'),
);
const { runDemo } = await import(pathToFileURL(path.join(root, 'dist-demo', 'demo', 'main.js')).href);
// The settings of the service, which it reads in the same way.
if (existsSync('.env')) process.loadEnvFile('.env');
process.exit(await runDemo({ root, env: process.env, args: process.argv.slice(2) }));
