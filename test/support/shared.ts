import { afterAll, beforeAll, vi } from 'vitest';

/** How often tests of this worker have replaced timers. */
let replacements = 0;

/**
 * Replaces timers, as `vi.useFakeTimers` does. A shared service that sets its next timer meanwhile would wait for it forever, so the
 * files after this one share another service.
 */
export function useFakeTimers(...options: Parameters<typeof vi.useFakeTimers>): void {
  replacements += 1;
  vi.useFakeTimers(...options);
}

/**
 * Returns a function that starts a world once for the test files of a worker, with which it ends. Disposing of what it returns does
 * nothing.
 */
export function shareInWorker<World extends AsyncDisposable>(start: () => Promise<World>): () => Promise<World> {
  let shared: { world: Promise<World>; replacements: number } | undefined;
  return async () => {
    if (shared?.replacements !== replacements) {
      const former = shared;
      shared = { world: start(), replacements };
      await (await former?.world)?.[Symbol.asyncDispose]();
    }
    return { ...(await shared.world), [Symbol.asyncDispose]: async () => undefined };
  };
}

/**
 * Returns the world of a test file, which is started before its tests and disposed of after them. It is empty until then, and a copy: what
 * a test sets on it is not seen by what `start` returned.
 */
export function fileWorld<World extends AsyncDisposable>(start: () => Promise<World>): World {
  const world = {} as World;
  let started: World | undefined;
  beforeAll(async () => {
    started = Object.assign(world, await start());
  });
  afterAll(() => started?.[Symbol.asyncDispose]());
  return world;
}
