import { type Contender, contenders } from './deciders.js';
import type { LocatingOptions } from './options.js';
import { readRecordedReads } from './recorded-reads.js';
import { runReplay } from './run-replay.js';
import { type Score, sumScores } from './score.js';
import { createWorld } from './world.js';
import type { WorldSpec } from './world-spec.js';
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

/** One world of one seed, or the recorded reads: what a process runs at once. */
export type Job = {
  source: string;
  /** Undefined for recorded reads. */
  seed: number | undefined;
  options: LocatingOptions;
};

/** The scores of a job by the name of the decider. */
export type JobResult = ReadonlyMap<string, Score>;

/**
 * Lists what there is to run, in the order of the report.
 *
 * @throws RangeError for a name of a world or decider that does not exist, or a world that ends before anything is measured
 */
export function jobsOf(options: LocatingOptions): Job[] {
  choose('decider', contenders, options.deciders);
  for (const { name, spec } of sourcesOf(options)) {
    const hours = options.hours ?? spec?.hours ?? Infinity;
    if (options.unmeasuredHours >= hours) throw new RangeError(`${name} ends after ${hours} hours`);
  }
  return sourcesOf(options).flatMap(({ name, spec }) =>
    (spec ? options.seeds : [undefined]).map((seed): Job => ({ source: name, seed, options })),
  );
}

/** Runs one job. */
export function runJob({ source, seed, options }: Job): JobResult {
  const spec = worlds.find(({ name }) => name === source);
  const world = spec && seed !== undefined ? createWorld(spec, seed, options) : undefined;
  const replay = world ?? readRecordedReads(options.dataDir ?? '');
  const results = new Map<string, Score>();
  for (const { name, create, withLabels } of choose('decider', contenders, options.deciders)) {
    // Recorded reads have no labels, and no radio model that an oracle could know.
    if (withLabels && !world) continue;
    const decider = create(replay.site, world);
    if (decider) results.set(name, runReplay(replay, decider, withLabels));
  }
  return results;
}

/** Adds up what jobs have come to, in the order of the report. */
export function outcomesOf(
  options: LocatingOptions,
  jobs: readonly Job[],
  results: readonly JobResult[],
): WorldOutcome[] {
  return sourcesOf(options).map(({ name, title, spec }) => {
    const ofSource = results.filter((_, index) => jobs[index]?.source === name);
    const outcomes = choose('decider', contenders, options.deciders).flatMap((contender): Outcome[] => {
      const scores = ofSource.flatMap((result) => result.get(contender.name) ?? []);
      return scores.length === 0 ? [] : [{ contender, score: sumScores(scores) }];
    });
    return { name, title, spec, outcomes };
  });
}

/** Where reads come from: a simulated world, or a recording. */
type Source = { name: string; title: string; spec: WorldSpec | undefined };

function sourcesOf({ dataDir, only }: LocatingOptions): Source[] {
  const recorded: Source = { name: 'UCI', title: 'Recorded UHF reads, bed or chair', spec: undefined };
  const all: Source[] = worlds.map((spec) => ({ name: spec.name, title: spec.title, spec }));
  return choose('world', dataDir === undefined ? all : [...all, recorded], only);
}

function choose<Item extends { name: string }>(noun: string, items: readonly Item[], names: readonly string[]): Item[] {
  for (const name of names) {
    if (items.some((item) => item.name === name)) continue;
    throw new RangeError(`no ${noun} is named ${name}: ${items.map((item) => item.name).join(', ')}`);
  }
  return items.filter(({ name }) => names.length === 0 || names.includes(name));
}
