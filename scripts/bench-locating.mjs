/**
 * `npm run bench:locating`: builds the locating benchmark and runs it in this process. It needs neither database nor
 * service.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildService, installPackages, prepare, root } from './prepare.mjs';

const output = 'dist-bench-locating';

prepare(installPackages, () => buildService(['bench/locating/main.ts'], output));
await import(pathToFileURL(path.join(root, output, 'bench', 'locating', 'main.js')).href);
