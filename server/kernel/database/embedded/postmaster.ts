import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../start-error.js';

/** The data of a running server in `postmaster.pid`. */
export type Postmaster = {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
};

const firstLineOfState = 7;

/** Returns whether a process with this id runs, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Returns whether a process is PostgreSQL. The system reuses process ids, so the id may belong to another program. */
function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]?.includes('postgres') ?? false;
  } catch {
    const { stdout, status } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
    return status !== 0 || stdout.includes('postgres');
  }
}

/** Reads the file `postmaster.pid` of a cluster, whether or not its server still runs. */
function readLockFile(clusterDir: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(path.join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const state = lines[firstLineOfState]?.trim();
  return { pid: Number(lines[0]), port: Number(lines[3]), isReady: state === 'ready' };
}

/** Returns the server of a cluster, if one runs; `stale` if a killed server left the file behind. */
export function findPostmaster(clusterDir: string): Postmaster | 'stale' | undefined {
  const postmaster = readLockFile(clusterDir);
  if (!postmaster) return undefined;
  return postmaster.pid > 0 && isAlive(postmaster.pid) && isPostgres(postmaster.pid) ? postmaster : 'stale';
}
