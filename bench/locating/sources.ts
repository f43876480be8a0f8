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
  kind: WorldSpec['kind'] | 'recorded';
  /** Undefined for recordings. */
  spec: WorldSpec | undefined;
  /** The parts that can run separately: the seeds of a world. */
  parts: readonly number[];
  /** Creates the replays of a part, one after the other. */
  replays(part: number): Iterable<Replay>;
};

/** The distance between the seeds of further runs of a world. */
const seedsApart = 1000;

/**
 * Lists the sources that the options choose, in the order of the report.
 *
 * @throws RangeError for a name that does not exist, a folder without recordings, or a world that ends before anything is
 *   measured
 */
export function sourcesOf(options: LocatingOptions): Source[] {
  const all = [...worlds.map((spec) => simulatedSource(spec, options)), ...recordedSources(options)];
  const named = options.only.flatMap((name) => {
    const ofKind = all.filter(({ kind }) => kind === name);
    return ofKind.length > 0 ? ofKind.map((source) => source.name) : [name];
  });
  const sources = choose('world', all, named);
  for (const { name, spec } of sources) {
    const hours = options.hours ?? spec?.hours ?? Infinity;
    if (options.unmeasuredHours > 0 && options.unmeasuredHours >= hours) {
      throw new RangeError(`${name} ends after ${hours} hours`);
    }
  }
  return sources;
}

function simulatedSource(spec: WorldSpec, options: LocatingOptions): Source {
  const { name, title, kind, runs = 1 } = spec;
  return {
    name,
    title,
    kind,
    spec,
    parts: options.seeds,
    *replays(seed) {
      for (let run = 0; run < runs; run += 1) yield createWorld(spec, seed + run * seedsApart, options);
    },
  };
}

/** Each recording twice: as its gateways publish, and with one read in each message. */
function recordedSources({ recordingsDir, isTuning }: LocatingOptions): Source[] {
  if (recordingsDir === undefined) return [];
  const half = isTuning ? 'first' : 'second';
  const recorded = { kind: 'recorded' as const, spec: undefined, parts: [0] };
  return findRecordings(recordingsDir).flatMap(({ name, title, replays }): Source[] => [
    { ...recorded, name, title, replays: () => replays(half, 'batches') },
    {
      ...recorded,
      name: `${name}-single`,
      title: 'The same, one read a message',
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
