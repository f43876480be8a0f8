import { createBermudaRule } from './bermuda-rule.js';
import type { Decider, SiteSetup } from './decider.js';
import { createEdgexRule } from './edgex-rule.js';
import { createEvidenceDecider } from './evidence-decider.js';
import { createLatestRead } from './latest-read.js';
import type { LocatingOptions } from './options.js';
import { createSmooth } from './smooth.js';
import type { Source } from './sources.js';
import { createStrongestRead } from './strongest-read.js';
import { createStrongestSmoothed, strongestCandidates, strongestConstants } from './strongest-smoothed.js';

/** A decider of the report. */
export type Contender = {
  name: string;
  title: string;
  isBaseline: boolean;
  /** The data on which its constants were chosen. */
  chosenOn: string;
  /** Whether the labeled visits are replayed to it before the measured time. */
  withLabels: boolean;
  /** Creates the decider for a source of this kind. */
  create(site: SiteSetup, kind: Source['kind']): Decider;
};

const baseline = { isBaseline: true, withLabels: false };
const candidate = {
  isBaseline: false,
  chosenOn: 'other simulated visits of minutes, and first halves',
  create: (site: SiteSetup) => createEvidenceDecider(site),
};
const tuned = 'tuning seeds and first halves';

/** All deciders, baselines first, in the order of the report. */
export const contenders: readonly Contender[] = [
  { ...baseline, name: 'latest', title: 'Latest read', chosenOn: 'nothing to choose', create: createLatestRead },
  { ...baseline, name: 'strongest', title: 'Strongest in 60 s', chosenOn: 'nothing', create: createStrongestRead },
  { ...baseline, name: 'edgex', title: 'EdgeX rule', chosenOn: 'nothing here: as it ships', create: createEdgexRule },
  {
    ...baseline,
    name: 'bermuda',
    title: 'Bermuda rule',
    chosenOn: 'nothing here: as it ships',
    create: createBermudaRule,
  },
  {
    ...baseline,
    name: 'strongest20',
    title: 'Strongest in 20 s',
    chosenOn: `${tuned} of all kinds`,
    create: (site) => createStrongestSmoothed(site, strongestConstants.all),
  },
  {
    ...baseline,
    name: 'strongest20-out',
    title: 'The same, kind left out',
    chosenOn: `${tuned} of all kinds but the one reported`,
    create: (site, kind) => createStrongestSmoothed(site, strongestConstants[kind]),
  },
  {
    ...baseline,
    name: 'smooth',
    title: 'Smooth',
    chosenOn: 'simulated visits of one to three minutes elsewhere',
    create: (site) => createSmooth(site),
  },
  { ...candidate, name: 'evidence', title: 'Evidence', withLabels: false },
  { ...candidate, name: 'evidence+3', title: 'Evidence, 3 labeled visits', withLabels: true },
];

/** The same rule with each choice of its constants. */
const choices: readonly Contender[] = strongestCandidates.map((constants) => ({
  ...baseline,
  name: `${constants.smoothingS} s, ${constants.marginDb} dB`,
  title: '',
  chosenOn: '',
  create: (site) => createStrongestSmoothed(site, constants),
}));

/** Returns the deciders of a run. */
export function contendersOf({ isChoosing }: LocatingOptions): readonly Contender[] {
  return isChoosing ? choices : contenders;
}
