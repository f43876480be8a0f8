import { type Contender, contenders } from './deciders.js';
import type { LocatingOptions } from './options.js';
import { readRecordedReads } from './recorded-reads.js';
import type { Replay } from './replay.js';
import { runReplay } from './run-replay.js';
import { type Score, sumScores } from './score.js';
import { createWorld, type World, type WorldSpec } from './world.js';
import { worlds } from './worlds.js';

/** What one decider achieved in one world, over all seeds. */
export type Outcome = { contender: Contender; score: Score };

export type WorldOutcome = {
  name: string;
  title: string;
  /** Undefined for recorded reads, which have no targets. */
  spec: WorldSpec | undefined;
  outcomes: readonly Outcome[];
};

/**
 * Runs the chosen deciders in the chosen worlds, and on recorded reads if there are any.
 *
 * @param progress receives a line for each world
 * @throws RangeError for a name of a world or decider that does not exist, or a folder without recorded reads
 */
export function runAll(options: LocatingOptions, progress: (line: string) => void): WorldOutcome[] {
  const all: readonly Source[] = [
    ...worlds.map((spec) => ({ name: spec.name, title: spec.title, spec })),
    ...(options.dataDir === undefined ? [] : [recordedSource(options.dataDir)]),
  ];
  const sources = choose('world', all, options.only);
  const chosen = choose('decider', contenders, options.deciders);
  return sources.map((source) => {
    progress(`${source.name} ${source.title} …`);
    return source.spec ? runSpec(source.spec, chosen, options) : runRecorded(source, chosen);
  });
}

/** Where reads come from: a simulated world, or a recording. */
type Source = { name: string; title: string; spec: WorldSpec; replay?: undefined } | RecordedSource;

type RecordedSource = { name: string; title: string; spec?: undefined; replay: Replay };

function recordedSource(dataDir: string): RecordedSource {
  return { name: 'UCI', title: 'Recorded UHF reads, bed or chair', replay: readRecordedReads(dataDir) };
}

function runSpec(
  spec: WorldSpec,
  chosen: readonly Contender[],
  { seeds, assets }: Pick<LocatingOptions, 'seeds' | 'assets'>,
): WorldOutcome {
  const scores = new Map<Contender, Score[]>(chosen.map((contender) => [contender, []]));
  for (const seed of seeds) {
    const world = createWorld(spec, seed, assets);
    for (const [contender, ofContender] of scores) ofContender.push(...runContender(contender, world, world));
  }
  return { name: spec.name, title: spec.title, spec, outcomes: outcomesOf(scores) };
}

function runRecorded({ name, title, replay }: RecordedSource, chosen: readonly Contender[]): WorldOutcome {
  const scores = new Map(
    chosen
      .filter(({ withLabels }) => !withLabels)
      .map((contender) => [contender, runContender(contender, replay, undefined)] as const),
  );
  return { name, title, spec: undefined, outcomes: outcomesOf(scores) };
}

function runContender(contender: Contender, replay: Replay, world: World | undefined): Score[] {
  const decider = contender.create(replay.site, world);
  return decider ? [runReplay(replay, decider, contender.withLabels)] : [];
}

function outcomesOf(scores: ReadonlyMap<Contender, readonly Score[]>): Outcome[] {
  return [...scores]
    .filter(([, ofContender]) => ofContender.length > 0)
    .map(([contender, ofContender]) => ({ contender, score: sumScores(ofContender) }));
}

function choose<Item extends { name: string }>(noun: string, items: readonly Item[], names: readonly string[]): Item[] {
  for (const name of names) {
    if (items.some((item) => item.name === name)) continue;
    throw new RangeError(`no ${noun} is named ${name}: ${items.map((item) => item.name).join(', ')}`);
  }
  return items.filter(({ name }) => names.length === 0 || names.includes(name));
}
