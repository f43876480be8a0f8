import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '../servers.js';

const timeoutMs = 10_000;
const pollMs = 20;
/** Folders of administrators' programs, which are not in every user's path. */
const moreFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin'];

/** Starts Mosquitto with default settings, except for a queue without a limit; undefined if it is not installed. */
export async function startMosquitto(folder: string): Promise<Server | undefined> {
  const port = await freePort();
  const file = path.join(folder, 'mosquitto.conf');
  const lines = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'max_queued_messages 0',
    'log_dest none',
    `user ${userInfo().username}`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const searchPath = [process.env['PATH'], ...moreFolders].join(path.delimiter);
  const child = spawn('mosquitto', ['-c', file], { stdio: 'ignore', detached: true, env: { PATH: searchPath } });
  const isThere = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!isThere) return undefined;
  const until = performance.now() + timeoutMs;
  while (!(await answers(port))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error('Mosquitto does not start');
    await delay(pollMs);
  }
  return {
    pid: child.pid ?? 0,
    port,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
