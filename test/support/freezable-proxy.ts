import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A relay to another TCP port that can stop passing anything on, as a broken network does, with connections left open. */
export type FreezableProxy = AsyncDisposable & {
  readonly port: number;
  /** From here on nothing gets through on existing connections; new ones work. */
  freeze(): void;
  /** Ends all existing connections; new ones work. */
  cut(): void;
  /** Resolves when this many connections have been made in total. */
  connections(count: number): Promise<void>;
};

/** @param target where to; `at` is the port to listen on, a free one by default */
export async function createFreezableProxy({
  at = 0,
  ...target
}: {
  host: string;
  port: number;
  at?: number;
}): Promise<FreezableProxy> {
  const pairs: [Socket, Socket][] = [];
  let wake = () => {};
  const server = createServer((near) => {
    const far = connect(target);
    near.pipe(far);
    far.pipe(near);
    for (const socket of [near, far]) socket.on('error', () => {});
    near.on('close', () => far.destroy());
    pairs.push([near, far]);
    wake();
  });
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    cut() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    async connections(count) {
      while (pairs.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
