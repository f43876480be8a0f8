import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../../start-error.js';
import type { Cluster } from './cluster.js';
import { rotateLog, sizeOf } from './log-file.js';
import { choosePort } from './port.js';
import { findPostmaster, isAlive } from './postmaster.js';
import { lastLines, runProgram } from './program.js';

const startTimeoutMs = 60_000;
const pollMs = 10;
const retryMs = 100;
const goneTimeoutMs = 1000;

/** Names and values of PostgreSQL settings. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * Starts the server in its own session: a Ctrl-C in the terminal reaches only the service, which stops the server last.
 */
function spawnServer(cluster: Cluster, port: number, settings: ServerSettings): ChildProcess {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logFile = openSync(cluster.logFile, 'a', 0o600);
  const child = spawn(cluster.binaries.postgres, ['-D', cluster.clusterDir, '-p', String(port), ...flags], {
    ...cluster.user,
    cwd: path.parse(cluster.clusterDir).root,
    detached: true,
    stdio: ['ignore', logFile, logFile],
  });
  closeSync(logFile);
  child.on('error', () => {});
  child.unref();
  return child;
}

/**
 * Returns the port of a server that accepts connections on the cluster: a server that a killed process left running, or
 * a new one. PostgreSQL itself ensures that there is never more than one.
 */
export async function startServer(cluster: Cluster, settings: ServerSettings): Promise<number> {
  const deadline = Date.now() + startTimeoutMs;
  let child: ChildProcess | undefined;
  let logStart = 0;
  while (Date.now() < deadline) {
    const postmaster = findPostmaster(cluster.clusterDir);
    if (postmaster === 'stale') {
      if (!child || child.exitCode !== null) rmSync(path.join(cluster.clusterDir, 'postmaster.pid'), { force: true });
    } else if (postmaster?.isReady) return postmaster.port;
    if (!child && typeof postmaster !== 'object') {
      rotateLog(cluster.logFile);
      logStart = sizeOf(cluster.logFile);
      child = spawnServer(cluster, await choosePort(cluster.dataDir), settings);
    } else if (child && (child.pid === undefined || child.exitCode !== null) && typeof postmaster !== 'object') {
      const output = lastLines(readFileSync(cluster.logFile).subarray(logStart).toString());
      if (!/pre-existing shared memory block|lock file .* (is empty|already exists)/.test(output)) {
        throw new StartError(`the embedded PostgreSQL does not start (${cluster.logFile}):\n${output}`);
      }
      child = undefined;
      await delay(retryMs);
    }
    await delay(pollMs);
  }
  throw new StartError(`the embedded PostgreSQL does not become ready (${cluster.logFile})`);
}

/**
 * Ends every connection and stops the server. Skips the final checkpoint if the deadline leaves no time for it.
 *
 * @param deadline in epoch milliseconds
 */
export async function stopServer({ binaries, clusterDir, user }: Cluster, deadline: number): Promise<void> {
  const postmaster = findPostmaster(clusterDir);
  // If a killed server left the file behind, `pg_ctl` would signal whatever process has this id now.
  if (typeof postmaster !== 'object') return;
  for (const mode of ['fast', 'immediate']) {
    const timeoutSeconds = Math.max(1, Math.floor((deadline - Date.now()) / 1000) - 1);
    const args = ['stop', '-D', clusterDir, '-m', mode, '-w', '-t', String(timeoutSeconds)];
    const { code } = await runProgram(binaries.pgCtl, args, user);
    if (code === 0 || typeof findPostmaster(clusterDir) !== 'object') break;
  }
  // The pid file that `pg_ctl` checks is removed a moment before the server ends.
  const goneBy = Math.min(deadline, Date.now() + goneTimeoutMs);
  while (isAlive(postmaster.pid) && Date.now() < goneBy) await delay(pollMs);
}
