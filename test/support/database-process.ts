import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findPostmaster } from '../../server/kernel/database/embedded/postmaster.js';

/** The PostgreSQL that a service has brought along, by the folder in which its `data/` is. */
export type DatabaseProcess = {
  readonly url: string;
  /** Of its first process. */
  readonly pid: number;
  /** Of all its processes, the first one first. */
  pids(): number[];
  /** Sends a signal to all its processes. */
  signal(name: NodeJS.Signals): void;
};

/** Sends a signal to a process, unless it has ended. */
export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.flatMap((line) => {
    const [child = 0, parent] = line.trim().split(/\s+/).map(Number);
    return parent === pid ? [child] : [];
  });
}

/** Sends a signal to a PostgreSQL server: all its processes, by the first one. */
export function signalServer(pid: number, name: NodeJS.Signals): void {
  // Stopped first, it starts no process that is missing among its children; killed first, it would have none.
  if (name !== 'SIGCONT') signalProcess(pid, 'SIGSTOP');
  for (const child of childrenOf(pid)) signalProcess(child, name);
  signalProcess(pid, name);
}

export function databaseProcess(folder: string): DatabaseProcess {
  const postmaster = findPostmaster(path.join(folder, 'data', 'postgres'));
  if (typeof postmaster !== 'object') throw new Error(`no server runs in ${folder}`);
  const { pid, port } = postmaster;
  const password = readFileSync(path.join(folder, 'data', 'postgres-password'), 'utf8').trim();
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/whereabouts`,
    pid,
    pids: () => [pid, ...childrenOf(pid)],
    signal: (name) => signalServer(pid, name),
  };
}
