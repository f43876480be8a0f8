import { type Contender, contenders } from './deciders.js';
import type { LocatingOptions } from './options.js';
import { runWorld } from './run-world.js';
import { type Score, sumScores } from './score.js';
import { createWorld, type WorldSpec } from './world.js';
import { worlds } from './worlds.js';

/** What one decider achieved in one world, over all seeds. */
export type Outcome = { contender: Contender; score: Score };

export type WorldOutcome = { spec: WorldSpec; outcomes: readonly Outcome[] };

/**
 * Runs the chosen deciders in the chosen worlds.
 *
 * @param progress receives a line for each world
 * @throws RangeError for a name of a world or decider that does not exist
 */
export function runAll(options: LocatingOptions, progress: (line: string) => void): WorldOutcome[] {
  const chosenWorlds = choose('world', worlds, options.only);
  const chosen = choose('decider', contenders(), options.deciders);
  return chosenWorlds.map((spec) => {
    progress(`${spec.name} ${spec.title} …`);
    return runSpec(spec, chosen, options);
  });
}

function runSpec(spec: WorldSpec, chosen: readonly Contender[], { seeds, assets }: LocatingOptions): WorldOutcome {
  const scores = new Map<Contender, Score[]>(chosen.map((contender) => [contender, []]));
  for (const seed of seeds) {
    const world = createWorld(spec, seed, assets);
    for (const [contender, ofContender] of scores) {
      ofContender.push(runWorld(world, contender.create(world), contender.withLabels));
    }
  }
  return {
    spec,
    outcomes: [...scores].map(([contender, ofContender]) => ({ contender, score: sumScores(ofContender) })),
  };
}

function choose<Item extends { name: string }>(noun: string, items: readonly Item[], names: readonly string[]): Item[] {
  for (const name of names) {
    if (items.some((item) => item.name === name)) continue;
    throw new RangeError(`no ${noun} is named ${name}: ${items.map((item) => item.name).join(', ')}`);
  }
  return items.filter(({ name }) => names.length === 0 || names.includes(name));
}
