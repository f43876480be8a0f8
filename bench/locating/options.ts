import path from 'node:path';
import { parseArgs } from 'node:util';

export type LocatingOptions = {
  seeds: readonly number[];
  /** Whether constants are being chosen: other seeds, and the first halves of recordings instead of the second ones. */
  isTuning: boolean;
  /** Whether only the constants of baselines are being chosen, from some candidates. */
  isChoosing: boolean;
  /** Whether only means over each kind of worlds are printed, as JSON for a program that compares them. */
  isBrief: boolean;
  /** Names or kinds of the worlds to run; all if empty. */
  only: readonly string[];
  /** Names of the deciders to run; all if empty. */
  deciders: readonly string[];
  /** Assets and hours of each world instead of its own. */
  assets: number | undefined;
  hours: number | undefined;
  /** Hours from the start that are simulated and learned from, but not measured. */
  unmeasuredHours: number;
  /** Folder with recordings that are replayed too. */
  recordingsDir: string | undefined;
  /** File for the plot; undefined if none is given and the run has only some worlds or deciders, or other seeds. */
  svgFile: string | undefined;
};

/** Figures are reported for these seeds. Use the others to tune a decider. */
const reportedSeeds = [1, 2, 3];
const tuningSeeds = [101, 102, 103];

const defaultPlot = path.join('docs', 'pictures', 'locating.svg');

export const usage = `npm run bench:locating -- [options]
  --only <world>       only this world, or this kind of worlds; may be repeated
  --deciders <names>   only these deciders, separated by commas
  --assets <n>         assets of each world
  --hours <n>          hours of each world
  --from-hour <n>      measures only what happens after so many hours
  --seeds <n,n>        seeds of the worlds (${reportedSeeds.join(',')})
  --tune               the seeds for changing a decider (${tuningSeeds.join(',')}), and the first halves of recordings
  --choose             chooses the constants of strongest20, over all kinds of worlds and without each; with --tune
  --brief              only the mean truth and moves of the rule of the service in each kind of worlds, as JSON
  --double             doubles each constant of the rule in turn and prints what changes in the tuning seeds; with all of the above
  --recordings <folder>  recorded reads with their truth, in this folder or in folders in it
  --svg <file>         where the plot is written; ${defaultPlot} if everything is run`;

/**
 * Reads the arguments of the benchmark.
 *
 * @throws TypeError or RangeError for invalid arguments
 */
export function readLocatingOptions(args: string[]): LocatingOptions {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      deciders: { type: 'string' },
      assets: { type: 'string' },
      hours: { type: 'string' },
      'from-hour': { type: 'string' },
      seeds: { type: 'string' },
      tune: { type: 'boolean', default: false },
      choose: { type: 'boolean', default: false },
      brief: { type: 'boolean', default: false },
      recordings: { type: 'string' },
      svg: { type: 'string' },
    },
  });
  const { only, deciders, assets, hours, tune, 'from-hour': fromHour } = values;
  const changes = [deciders, assets, hours, fromHour, values.seeds];
  const isWhole =
    only.length === 0 && !tune && !values.choose && !values.brief && changes.every((value) => value === undefined);
  const svgFile = values.svg ?? (isWhole ? defaultPlot : undefined);
  const seeds = tune ? tuningSeeds : reportedSeeds;
  return {
    seeds: values.seeds === undefined ? seeds : listOf(values.seeds).map((text) => wholeNumber('seeds', text)),
    only: only.flatMap(listOf),
    deciders: deciders === undefined ? [] : listOf(deciders),
    assets: assets === undefined ? undefined : wholeNumber('assets', assets),
    hours: hours === undefined ? undefined : wholeNumber('hours', hours),
    unmeasuredHours: fromHour === undefined ? 0 : wholeNumber('from-hour', fromHour),
    isTuning: tune,
    isChoosing: values.choose,
    isBrief: values.brief,
    recordingsDir: values.recordings === undefined ? undefined : path.resolve(values.recordings),
    svgFile: svgFile === undefined ? undefined : path.resolve(svgFile),
  };
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new RangeError(`--${name} must be a whole number above zero`);
}
