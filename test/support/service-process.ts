import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { projectRoot } from '../../server/kernel/project-root.js';

export type Ending = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
};

/** A service in a process of its own, as `npm start` runs it. Disposing of it kills it if it still runs. */
export type ServiceProcess = AsyncDisposable & {
  readonly child: ChildProcess;
  /** Its greeting on standard error so far, line by line. */
  readonly output: readonly string[];
  /** The entries of its log so far. */
  readonly logged: readonly Record<string, unknown>[];
  /** Settles with the greeting once it is up; rejects with its output if it ends before. */
  readonly ready: Promise<readonly string[]>;
  /** Settles once the process has ended and its output is closed. */
  readonly ended: Promise<Ending>;
  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<Ending>;
};

export type ServiceOptions = {
  /** The working directory: relative settings and `.env` refer to it. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The command; `node scripts/start.mjs` by default. */
  readonly command?: readonly [string, ...string[]];
};

const lastLineOfGreeting = /^Its data is in /;

function eachLine(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

/** Starts the service on free ports, with nothing of this process's environment but the path of its programs. */
export function startService({ folder, env = {}, command }: ServiceOptions): ServiceProcess {
  const [program, ...args] = command ?? [process.execPath, path.join(projectRoot(), 'scripts', 'start.mjs')];
  const { PATH = '', HOME = folder } = process.env;
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH, HOME, PORT: '0', MQTT_PORT: '0', DATA_DIR: path.join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  const logged: Record<string, unknown>[] = [];
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const ready = new Promise<readonly string[]>((resolve, reject) => {
    eachLine(child.stderr, (line) => {
      output.push(line);
      if (lastLineOfGreeting.test(line)) resolve(output);
    });
    void ended.then(() => reject(new Error(`the service ended:\n${output.join('\n')}`)));
  });
  ready.catch(() => {});
  eachLine(child.stdout, (line) => {
    if (line.startsWith('{')) logged.push(JSON.parse(line) as Record<string, unknown>);
  });
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    child,
    output,
    logged,
    ready,
    ended,
    stop,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop('SIGTERM');
    },
  };
}

/** Returns the address in a line of the greeting, such as `http://localhost:3000`. */
export function addressIn(output: readonly string[], scheme: 'http' | 'mqtt'): string {
  const address = output.join('\n').match(new RegExp(`${scheme}://[^ ]+:\\d+`))?.[0];
  if (address === undefined) throw new Error(`no ${scheme} address in:\n${output.join('\n')}`);
  return address.replace('localhost', '127.0.0.1');
}
