import { type Contender, contendersOf } from './deciders.js';
import type { LocatingOptions } from './options.js';
import { runReplay } from './run-replay.js';
import { type Score, sumScores } from './score.js';
import { choose, type Source, sourcesOf } from './sources.js';

/** What one decider achieved on one source, over all its parts. */
export type Outcome = { contender: Contender; score: Score };

export type WorldOutcome = Pick<Source, 'name' | 'title' | 'kind' | 'spec'> & { outcomes: readonly Outcome[] };

/** A part of a source, which one process runs. */
export type Job = { source: string; part: number; options: LocatingOptions };

/** The scores of a job by the name of the decider. */
export type JobResult = ReadonlyMap<string, Score>;

/**
 * Lists the jobs, in the order of the report.
 *
 * @throws RangeError for a name of a world or decider that does not exist, or a folder without recordings
 */
export function jobsOf(options: LocatingOptions): Job[] {
  choose('decider', contendersOf(options), options.deciders);
  return sourcesOf(options).flatMap(({ name, parts }) => parts.map((part): Job => ({ source: name, part, options })));
}

/** Runs one job. */
export function runJob({ source: name, part, options }: Job): JobResult {
  const source = sourcesOf({ ...options, only: [name] })[0] as Source;
  const results = new Map<string, Score[]>();
  for (const replay of source.replays(part)) {
    for (const contender of choose('decider', contendersOf(options), options.deciders)) {
      if (contender.withLabels && !replay.labels) continue;
      const score = runReplay(replay, contender.create(replay.site, source.kind), contender.withLabels);
      results.set(contender.name, [...(results.get(contender.name) ?? []), score]);
    }
  }
  return new Map([...results].map(([decider, scores]) => [decider, sumScores(scores)]));
}

/** Adds up the results of jobs, in the order of the report. */
export function outcomesOf(
  options: LocatingOptions,
  jobs: readonly Job[],
  results: readonly JobResult[],
): WorldOutcome[] {
  return sourcesOf(options).map(({ name, title, kind, spec }) => {
    const ofSource = results.filter((_, index) => jobs[index]?.source === name);
    const outcomes = choose('decider', contendersOf(options), options.deciders).flatMap((contender): Outcome[] => {
      const scores = ofSource.flatMap((result) => result.get(contender.name) ?? []);
      return scores.length === 0 ? [] : [{ contender, score: sumScores(scores) }];
    });
    return { name, title, kind, spec, outcomes };
  });
}
