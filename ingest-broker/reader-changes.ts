import { setTimeout as delay } from 'node:timers/promises';
import type { Core, Log, ReaderChange } from '../server/index.js';

/**
 * The interval of checks for changed readers. Changes take effect within two seconds, this and a slow answer included.
 */
const lookEveryMs = 400;

type Watched = { core: Core; log: Log; onChange: (change: ReaderChange) => void };

/** Watches for readers that were changed or deleted, in this process or another, and reports each. */
export function createReaderWatch({ core, log, onChange }: Watched) {
  const stopping = new AbortController();
  let cursor: number | undefined;
  let watching: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const { changes, cursor: next } = await core.readers.changesSince(cursor);
    cursor = next;
    for (const change of changes) onChange(change);
  }

  async function watch(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await delay(lookEveryMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await look().catch((error: unknown) => log.warn({ err: error }, 'changed readers could not be looked for'));
    }
  }

  return {
    /** @throws if the database is unavailable */
    async start(): Promise<void> {
      await look();
      watching = watch();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await watching;
    },
  };
}
