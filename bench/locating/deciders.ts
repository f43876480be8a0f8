import type { Decider, SiteSetup } from './decider.js';
import { createEdgexRule } from './edgex-rule.js';
import { createEvidenceDecider } from './evidence-decider.js';
import { createLatestRead } from './latest-read.js';
import { createOracle } from './oracle.js';
import { createStrongestRead } from './strongest-read.js';
import type { World } from './world.js';

/** A decider of the report. */
export type Contender = {
  name: string;
  title: string;
  isBaseline: boolean;
  /** Whether the labeled visits are replayed to it before the measured time. */
  withLabels: boolean;
  /**
   * Creates the decider, or returns undefined if it cannot take part.
   *
   * @param world the simulated world, for the one that knows the radio model; undefined for recorded reads
   */
  create(site: SiteSetup, world: World | undefined): Decider | undefined;
};

const baseline = { isBaseline: true, withLabels: false };
const candidate = { isBaseline: false, create: createEvidenceDecider };

/** All deciders, baselines first, in the order of the report. */
export const contenders: readonly Contender[] = [
  { ...baseline, name: 'latest', title: 'Latest read', create: createLatestRead },
  { ...baseline, name: 'strongest', title: 'Strongest in 60 s', create: createStrongestRead },
  { ...baseline, name: 'edgex', title: 'EdgeX rule', create: createEdgexRule },
  { ...baseline, name: 'oracle', title: 'Oracle', create: (_, world) => world && createOracle(world) },
  { ...candidate, name: 'evidence', title: 'Evidence', withLabels: false },
  { ...candidate, name: 'evidence+3', title: 'Evidence, 3 labeled visits', withLabels: true },
];
