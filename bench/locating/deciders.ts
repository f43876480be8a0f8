import type { Decider } from './decider.js';
import { createEdgexRule } from './edgex-rule.js';
import { createEvidenceDecider } from './evidence-decider.js';
import { createLatestRead } from './latest-read.js';
import { createStrongestRead } from './strongest-read.js';
import { createOracle } from './oracle.js';
import type { World } from './world.js';

/** A decider of the report. */
export type Contender = {
  name: string;
  title: string;
  /** Whether the labeled visits are replayed to it before the measured time. */
  withLabels: boolean;
  create(world: World): Decider;
};

/** Returns all deciders, baselines first, in the order of the report. */
export function contenders(): Contender[] {
  const baselines: Contender[] = [
    contender('latest', 'Latest read', ({ site }) => createLatestRead(site)),
    contender('strongest', 'Strongest in 60 s', ({ site }) => createStrongestRead(site)),
    contender('edgex', 'EdgeX rule', ({ site }) => createEdgexRule(site)),
    contender('oracle', 'Oracle', createOracle),
  ];
  return [
    ...baselines,
    contender('evidence', 'Evidence', ({ site }) => createEvidenceDecider(site)),
    {
      ...contender('evidence+3', 'Evidence, 3 labeled visits', ({ site }) => createEvidenceDecider(site)),
      withLabels: true,
    },
  ];
}

function contender(name: string, title: string, create: Contender['create']): Contender {
  return { name, title, withLabels: false, create };
}
