import { type ChildProcess, fork, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../server/kernel/project-root.js';
import type { LoadOrder, LoadReport } from './load.js';
import type { Outcome } from './worker.js';
import type { BaselineOrder } from './baseline.js';

/** A process that answers on a port of this machine. */
export type Server = {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
};

export type Service = Server & {
  readonly mqttPort: number;
};

export type ServiceOptions = {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly authSecret: string;
  /** The folder of the log, and the working directory, so that no `.env` of a checkout is used. */
  readonly folder: string;
  readonly profileDir: string | undefined;
  /** Requests per minute of a key, a user or an address; unlimited by default. */
  readonly requestsPerMinute?: number;
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts the service as it is built and deployed, with its log at the usual level in a file. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { databaseUrl, poolSize, authSecret, folder, profileDir, requestsPerMinute = 1_000_000_000, env } = options;
  const log = openSync(path.join(folder, 'service.log'), 'w');
  const profileFlags = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const flags = [...heapFlags(), ...profileFlags];
  const child = spawn(process.execPath, [...flags, path.join(projectRoot(), 'dist', 'main.js')], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', log, 'pipe'],
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(poolSize),
      AUTH_SECRET: authSecret,
      PORT: '0',
      MQTT_PORT: '0',
      LOG_LEVEL: 'info',
      RATE_LIMIT_REQUESTS: String(requestsPerMinute),
      ...env,
    },
  });
  let output = '';
  const ports = await new Promise<{ port: number; mqttPort: number }>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const [port, mqttPort] = ['http', 'mqtt'].map((scheme) =>
        Number(new RegExp(`${scheme}://[^ \\n]+:(\\d+)\\s`).exec(output)?.[1]),
      );
      if (port && mqttPort) resolve({ port, mqttPort });
    });
    child.once('close', () => reject(new Error(`the service ended:\n${output}`)));
  });
  return { pid: child.pid ?? 0, ...ports, stop: () => end(child) };
}

/** Returns the flags of `npm start` and of the image. */
function heapFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(projectRoot(), 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

/** The other roles of this program. */
export type Role = 'load' | 'baseline' | 'readers' | 'subscriber' | 'attacker' | 'receivers';

/** Starts this program again in another role, and waits for its message that it is ready. */
function startRole(role: Role): ChildProcess {
  return fork(path.join(import.meta.dirname, 'main.js'), ['as', role], {
    env: { ...process.env, NODE_ENV: 'production' },
    detached: true,
  });
}

export async function startBaseline(order: BaselineOrder): Promise<Server> {
  const child = startRole('baseline');
  child.send(order);
  const { port } = await answerOf<{ port: number }>(child);
  return { pid: child.pid ?? 0, port, stop: () => end(child) };
}

/** A process that does what it is ordered, one thing after another. */
export type Worker<Order, Report> = {
  readonly pid: number;
  run(order: Order): Promise<Report>;
  stop(): Promise<void>;
};

/** The process that sends requests. */
export type Load = Worker<LoadOrder, LoadReport>;

export function startWorker<Order extends object, Report>(role: Role): Worker<Order, Report> {
  const child = startRole(role);
  return {
    pid: child.pid ?? 0,
    async run(order) {
      child.send(order);
      const outcome = await answerOf<Outcome<Report>>(child);
      if ('failure' in outcome) throw new Error(outcome.failure);
      return outcome.report;
    },
    stop: () => end(child),
  };
}

function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a process of the benchmark ended'));
    child.once('exit', onExit);
    child.once('message', (answer) => {
      child.off('exit', onExit);
      resolve(answer as Answer);
    });
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
