/** `npm test`: brings packages, database client and test programs up to date, then runs Vitest with the arguments given. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { generateClient, installPackages, prepare, root } from './prepare.mjs';
import { installTestPrograms, withTestPrograms } from './test-programs.mjs';

prepare(installPackages, generateClient, installTestPrograms);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: withTestPrograms(process.env),
});
process.exit(status ?? 1);
