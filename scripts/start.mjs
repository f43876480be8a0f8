/** `npm start`: updates the checkout if necessary, then runs the service in this process. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildDocs, buildService, buildWeb, generateClient, installPackages, prepare, root } from './prepare.mjs';

const parentPollMs = 500;

/**
 * Returns the parent and, if the system reports it, its parent: between npm and this process there is often a shell.
 */
function ancestors() {
  try {
    const afterName = readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ').at(-1);
    return `${process.ppid} ${afterName.split(' ')[1]}`;
  } catch {
    return `${process.ppid}`;
  }
}

/** npm passes Ctrl-C on, but not its own end: then the service stops as for SIGTERM. */
function stopWithParent() {
  const born = ancestors();
  const watch = setInterval(() => {
    if (ancestors() === born) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, parentPollMs);
  watch.unref();
}

prepare(installPackages, generateClient, () => buildService(), buildWeb, buildDocs);
if (process.env.npm_lifecycle_event === 'start') stopWithParent();
await import(pathToFileURL(path.join(root, 'dist', 'main.js')).href);
