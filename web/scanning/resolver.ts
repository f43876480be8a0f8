import type { Outputs } from '../api/trpc.js';
import { candidatesOf, findLocation } from './location-tags.js';
import { type Matches, openScanStore, rememberValues, type ScanStore } from './store.js';

/**
 * What a value belongs to. A remembered resolution may be out of date. An unanswered value is resolved by the service
 * when the scan is sent.
 */
export type Resolution = { matches: Matches; isFresh: boolean } | 'unanswered';

export type Resolver = {
  /** Never rejects: without an answer in time it resolves to the remembered resolution. */
  resolve(value: string): Promise<Resolution>;
  close(): void;
};

export type ResolverOptions = {
  owner: string;
  ask: (values: string[]) => Promise<Outputs['scans']['resolve']>;
};

/** Values within a short time are looked up together. */
const gatherMs = 10;
const askedAtOnceMax = 500;

/** Looks up what scanned values belong to, and remembers it on this device for when the service cannot be reached. */
export function createResolver({ owner, ask }: ResolverOptions): Resolver {
  let opening: Promise<ScanStore> | undefined;
  const asked = new Map<string, { answer: Promise<Resolution>; settle: (resolution: Resolution) => void }>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function flush(): Promise<void> {
    timer = undefined;
    const gathered = [...asked].slice(0, askedAtOnceMax);
    for (const [value] of gathered) asked.delete(value);
    if (asked.size > 0) timer = setTimeout(() => void flush(), gatherMs);
    const answers = await answersTo(gathered.map(([value]) => value));
    for (const [value, { settle }] of gathered) settle(answers.get(value) ?? 'unanswered');
  }

  async function answersTo(values: string[]): Promise<Map<string, Resolution>> {
    opening ??= openScanStore();
    const store = await opening.catch(() => undefined);
    try {
      if (!navigator.onLine) return await remembered(store, values);
      const answers = await ask(values);
      const at = Date.now();
      const known = answers.map(({ value, matches }) => ({ owner, value, matches, at }));
      if (store) await rememberValues(store, known);
      return new Map(answers.map(({ value, matches }) => [value, { matches, isFresh: true }]));
    } catch {
      return remembered(store, values);
    }
  }

  async function remembered(store: ScanStore | undefined, values: readonly string[]): Promise<Map<string, Resolution>> {
    if (!store) return new Map();
    const known = await Promise.all(
      // The connection may be closing, since the page is left.
      values.map(async (value) => [value, await knownBy(store, value).catch(() => undefined)] as const),
    );
    return new Map(known.flatMap(([value, matches]) => (matches ? [[value, { matches, isFresh: false }]] : [])));
  }

  /**
   * The tags of locations are kept as they are, while a remembered value may have got another meaning since. What is remembered of a
   * container says where it was.
   */
  async function knownBy(store: ScanStore, value: string): Promise<Matches | undefined> {
    const { tags, names } = candidatesOf(value);
    const tagged = await findLocation(store, owner, tags);
    if (tagged?.[0]?.kind === 'location') return tagged;
    const row = await store.get('values', [owner, value]);
    // Values that were unknown may have been attached since.
    return row && row.matches.length > 0 ? row.matches : (tagged ?? findLocation(store, owner, names));
  }

  return {
    resolve(value) {
      const pending = asked.get(value);
      if (pending) return pending.answer;
      let settle: (resolution: Resolution) => void = () => {};
      const answer = new Promise<Resolution>((resolve) => {
        settle = resolve;
      });
      asked.set(value, { answer, settle });
      timer ??= setTimeout(() => void flush(), gatherMs);
      return answer;
    },
    close() {
      void opening?.then((store) => store.close()).catch(() => {});
      opening = undefined;
    },
  };
}
