import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findPostmaster } from '../../server/database/embedded/postmaster.js';

/** The PostgreSQL that a service has brought along, by the folder in which its `data/` is. */
export type DatabaseProcess = {
  readonly url: string;
  /** Of its first process. */
  readonly pid: number;
  /** Of all its processes, the first one included. */
  pids(): number[];
};

export function databaseProcess(folder: string): DatabaseProcess {
  const postmaster = findPostmaster(path.join(folder, 'data', 'postgres'));
  if (typeof postmaster !== 'object') throw new Error(`no server runs in ${folder}`);
  const { pid, port } = postmaster;
  const password = readFileSync(path.join(folder, 'data', 'postgres-password'), 'utf8').trim();
  return {
    url: `postgresql://postgres:${password}@127.0.0.1:${port}/whereabouts`,
    pid,
    pids() {
      const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
      const rows = lines.map((line) => line.trim().split(/\s+/).map(Number));
      return [pid, ...rows.filter(([, parent]) => parent === pid).map(([child]) => child ?? pid)];
    },
  };
}
