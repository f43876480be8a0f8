/** `npm test`: brings everything up to date that tests start, then runs Vitest with the arguments given. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildService, buildWeb, generateClient, installPackages, prepare, root } from './prepare.mjs';
import { installTestPrograms, withTestPrograms } from './test-programs.mjs';

// Tests start the service in processes of their own, several at a time, which should find it built.
prepare(installPackages, generateClient, installTestPrograms, () => buildService(), buildWeb);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: withTestPrograms(process.env),
});
process.exit(status ?? 1);
