/** `node scripts/checks.mjs <program> [argument …]`: installs the packages of all workspaces, then runs a program of one of them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installAll, prepare, root } from './prepare.mjs';

prepare(installAll);
const [program, ...args] = process.argv.slice(2);
if (program) {
  const file = path.join(root, 'node_modules', '.bin', program);
  const { status } = spawnSync(file, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  process.exit(status ?? 1);
}
