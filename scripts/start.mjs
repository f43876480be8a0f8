/** `npm start`: brings the checkout up to date where it is not, then runs the service in this very process. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildService, generateClient, installPackages, prepare, root } from './prepare.mjs';

const PARENT_POLL_MS = 500;

/** npm passes Ctrl-C on, but when npm itself is killed nobody tells: then the service stops as for SIGTERM. */
function stopWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, PARENT_POLL_MS).unref();
}

prepare(installPackages, generateClient, () => buildService());
if (process.env.npm_lifecycle_event === 'start') stopWithParent();
await import(pathToFileURL(path.join(root, 'dist', 'main.js')).href);
