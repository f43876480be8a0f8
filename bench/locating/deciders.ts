import type { Decider, SiteSetup } from './decider.js';
import { createEdgexRule } from './edgex-rule.js';
import { createEvidenceDecider } from './evidence-decider.js';
import { createLatestRead } from './latest-read.js';
import { createSmooth } from './smooth.js';
import { createStrongestRead } from './strongest-read.js';
import { createStrongestSmoothed } from './strongest-smoothed.js';

/** A decider of the report. */
export type Contender = {
  name: string;
  title: string;
  isBaseline: boolean;
  /** Whether the labeled visits are replayed to it before the measured time. */
  withLabels: boolean;
  create(site: SiteSetup): Decider;
};

const baseline = { isBaseline: true, withLabels: false };
const candidate = { isBaseline: false, create: createEvidenceDecider };

/** All deciders, baselines first, in the order of the report. */
export const contenders: readonly Contender[] = [
  { ...baseline, name: 'latest', title: 'Latest read', create: createLatestRead },
  { ...baseline, name: 'strongest', title: 'Strongest in 60 s', create: createStrongestRead },
  { ...baseline, name: 'edgex', title: 'EdgeX rule', create: createEdgexRule },
  { ...baseline, name: 'strongest20', title: 'Strongest in 20 s', create: createStrongestSmoothed },
  { ...baseline, name: 'smooth', title: 'Smooth', create: createSmooth },
  { ...candidate, name: 'evidence', title: 'Evidence', withLabels: false },
  { ...candidate, name: 'evidence+3', title: 'Evidence, 3 labeled visits', withLabels: true },
];
