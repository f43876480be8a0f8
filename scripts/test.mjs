/** `npm test`: brings packages and database client up to date, then runs Vitest with the arguments given. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { generateClient, installPackages, prepare, root } from './prepare.mjs';

prepare(installPackages, generateClient);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
