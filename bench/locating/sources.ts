import type { LocatingOptions } from './options.js';
import { findRecordings } from './recordings.js';
import type { Replay } from './replay.js';
import { createWorld } from './world.js';
import type { WorldSpec } from './world-spec.js';
import { worlds } from './worlds.js';

/** Where reads come from: a simulated world, or recordings of one site. */
export type Source = {
  name: string;
  title: string;
  /** Undefined for recordings. */
  spec: WorldSpec | undefined;
  /** What can run apart from each other: the seeds of a world. */
  parts: readonly number[];
  /** Creates the replays of a part, one after the other. */
  replays(part: number): Iterable<Replay>;
};

/**
 * Lists what the options choose, in the order of the report.
 *
 * @throws RangeError for a name that does not exist, a folder without recordings, or a world that ends before anything is
 *   measured
 */
export function sourcesOf(options: LocatingOptions): Source[] {
  const simulated = worlds.map((spec): Source => {
    const { name, title } = spec;
    return { name, title, spec, parts: options.seeds, replays: (seed) => [createWorld(spec, seed, options)] };
  });
  const sources = choose('world', [...simulated, ...recordedSources(options)], options.only);
  for (const { name, spec } of sources) {
    const hours = options.hours ?? spec?.hours ?? Infinity;
    if (options.unmeasuredHours >= hours) throw new RangeError(`${name} ends after ${hours} hours`);
  }
  return sources;
}

/** Each recording as its gateways publish, and with one read a message. */
function recordedSources({ recordingsDir, isTuning }: LocatingOptions): Source[] {
  if (recordingsDir === undefined) return [];
  const half = isTuning ? 'first' : 'second';
  return findRecordings(recordingsDir).flatMap(({ name, title, replays }): Source[] => [
    { name, title, spec: undefined, parts: [0], replays: () => replays(half, 'batches') },
    {
      ...{ name: `${name}-single`, title: 'The same, one read a message', spec: undefined, parts: [0] },
      replays: () => replays(half, 'single'),
    },
  ]);
}

/**
 * Returns the items of these names; all without names.
 *
 * @throws RangeError for a name that does not exist
 */
export function choose<Item extends { name: string }>(
  noun: string,
  items: readonly Item[],
  names: readonly string[],
): Item[] {
  for (const name of names) {
    if (items.some((item) => item.name === name)) continue;
    throw new RangeError(`no ${noun} is named ${name}: ${items.map((item) => item.name).join(', ')}`);
  }
  return items.filter(({ name }) => names.length === 0 || names.includes(name));
}
