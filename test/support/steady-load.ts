import { setTimeout as delay } from 'node:timers/promises';

/** Requests of several clients, one after another each, until they are stopped. */
export type SteadyLoad = AsyncDisposable & {
  /** How many requests have been answered. */
  answered(): number;
  /** Ends it, and resolves with what every request was expected not to meet: errors of the connection, and statuses from 500. */
  stop(): Promise<string[]>;
};

export type LoadOptions = {
  clients: number;
  /** One request of a client, by its number. */
  request(number: number): Promise<Response>;
};

const pauseMs = 20;

export function startSteadyLoad({ clients, request }: LoadOptions): SteadyLoad {
  const failures: string[] = [];
  let answered = 0;
  let isOver = false;

  async function work(client: number): Promise<void> {
    for (let number = client; !isOver; number += clients) {
      try {
        const response = await request(number);
        const body = await response.text();
        if (response.status >= 500) failures.push(`${response.status} ${body}`);
        else answered += 1;
      } catch (error) {
        failures.push(`${String(error)} ${String((error as Error).cause)}`);
      }
      await delay(pauseMs);
    }
  }

  const working = Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  async function stop(): Promise<string[]> {
    isOver = true;
    await working;
    return failures;
  }
  return { answered: () => answered, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}
