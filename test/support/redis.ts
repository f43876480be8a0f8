import { freePort, type ProgramProcess, startProgram } from './program.js';

/** A Redis of one test's own, empty and without a file on the disk. Disposing of it kills it. */
export type TestRedis = AsyncDisposable & {
  readonly url: string;
  /** Ends it like a crash: its data is lost. */
  kill(): Promise<void>;
  /** Starts it again, on the same port and empty. */
  restart(): Promise<void>;
  /** Connections stay open, and nothing is answered until `thaw`. */
  freeze(): void;
  thaw(): void;
};

export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const start = (): Promise<ProgramProcess> =>
    startProgram({
      command: 'redis-server',
      args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'],
      port,
    });
  let server = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => server.kill(),
    async restart() {
      server = await start();
    },
    freeze: () => void server.child.kill('SIGSTOP'),
    thaw: () => void server.child.kill('SIGCONT'),
    [Symbol.asyncDispose]: () => server.kill(),
  };
}
