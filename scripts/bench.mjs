/** `npm run bench`: builds the benchmark and runs it with the arguments given. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildService, generateClient, installPackages, prepare, root } from './prepare.mjs';

prepare(installPackages, generateClient, () => buildService('bench/main.ts', 'dist-bench'));
const bench = path.join(root, 'dist-bench', 'bench', 'main.js');
const { status } = spawnSync(process.execPath, [bench, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
