/** `npm run admin`, `npm run backup` and `npm run restore`: builds the service, then runs the command in this very process. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildService, generateClient, installPackages, prepare, root } from './prepare.mjs';

prepare(installPackages, generateClient, () => buildService());
await import(pathToFileURL(path.join(root, 'dist', 'admin.js')).href);
