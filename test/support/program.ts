import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A server of somebody else's making, on a port of 127.0.0.1. Disposing of it kills it. */
export type ProgramProcess = AsyncDisposable & {
  readonly child: ChildProcess;
  readonly port: number;
  /** Kills it, and resolves when it has ended. */
  kill(): Promise<void>;
};

export type ProgramOptions = { command: string; args: readonly string[]; port: number };

/** Some servers are not in the path of an ordinary user. */
const moreFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin', '/opt/homebrew/sbin'];
const pollMs = 10;
const startedWithinMs = 30_000;

/**
 * Ports that no operating system gives to programs that ask for any port, or to outgoing connections: a port of these that is
 * free now is not taken by chance before the test listens on it.
 */
const reservablePorts = { first: 11_000, count: 20_000 };

/** Ports that this process has returned already. */
const givenPorts = new Set<number>();

/** Returns a port of 127.0.0.1 that nobody listens on. No other test gets it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = reservablePorts.first + randomInt(reservablePorts.count);
    if (givenPorts.has(port) || !(await isFree(port))) continue;
    givenPorts.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** The environment in which such servers are found by name. */
export function programEnvironment(): { PATH: string } {
  return { PATH: [process.env['PATH'] ?? '', ...moreFolders].join(path.delimiter) };
}

/** Starts a program and resolves once its port accepts connections; rejects with its output if it ends before. */
export async function startProgram({ command, args, port }: ProgramOptions): Promise<ProgramProcess> {
  const child = spawn(command, args, { env: programEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const ended = once(child, 'close').catch((error: unknown) => said.push(Buffer.from(String(error))));
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

  async function kill(): Promise<void> {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await ended;
  }

  const giveUpAt = Date.now() + startedWithinMs;
  while (!(await accepts(port))) {
    if (isOver() || Date.now() > giveUpAt) {
      await kill();
      throw new Error(`${command} did not start:\n${Buffer.concat(said).toString()}`);
    }
    await delay(pollMs);
  }
  return { child, port, kill, [Symbol.asyncDispose]: kill };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
