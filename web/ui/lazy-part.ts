import { type ComponentType, lazy } from 'react';

const waitMs = 1000;

/**
 * Returns a component whose module is loaded when it is first shown, and loaded again if the network fails. It throws what React's
 * `lazy` throws if the second time fails, too.
 *
 * @param load - Imports the module.
 * @param name - The component's name in it.
 */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await loadTwice(load))[name] }));
}

async function loadTwice<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    // Without a network, the module comes from the service worker's cache.
    return await load();
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await online();
    const address = moduleAddress(error);
    // Chromium remembers that the address failed; with a fragment it is another address.
    // oxlint-disable-next-line typescript/no-unsafe-return -- the same module as the first time
    return address === undefined ? load() : import(/* @vite-ignore */ `${address}#again`);
  }
}

/** Returns the address that Chromium names in the error of an import that failed. */
function moduleAddress(error: unknown): string | undefined {
  return error instanceof TypeError ? /https?:\S+$/.exec(error.message)?.[0] : undefined;
}

function online(): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }));
}
