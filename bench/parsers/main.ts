import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { markdownTable } from '../markdown-table.js';
import { positive } from '../whole-number.js';
import { climb } from './climb.js';
import { bytesOf, cutInput, type Input } from './input.js';
import { createParsers, type Parser } from './parsers.js';

const usage = `npm run bench:parsers -- [options]
  --rounds <n>    changed inputs of each parser (400)
  --only <text>   only parsers whose name contains the text; may be repeated
  --keep <file>   begins with the inputs of a file that cost most in an earlier run, and writes those of this run
  --show          also the inputs that cost most`;

const msMax = 60;
/** A new maximum is the least of this many runs. */
const runsMax = 6;
const shownLength = 160;

/**
 * Returns the processor time of a parser on an input in milliseconds: the least of several runs, so that neither other
 * programs nor the compiler count. Where it would be a new maximum, more runs decide.
 */
async function msOf({ parse, wrap }: Parser, input: Input, maximum = 0): Promise<number> {
  const bytes = bytesOf(input);
  const given = wrap ? wrap(bytes) : bytes;
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runsMax && least > maximum; run += 1) {
    const before = process.cpuUsage();
    try {
      await parse(given);
    } catch {
      // What a parser rejects costs as well.
    }
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

async function rowOf(parser: Parser, { rounds, known }: { rounds: number; known: Input | undefined }) {
  const { inputs, name, more = [] } = parser;
  const most = async (given: readonly Input[]) => {
    let ms = 0;
    for (const input of given) ms = Math.max(ms, await msOf(parser, input));
    return ms;
  };
  // Compiles the parser.
  await most(inputs);
  const [valid, cut] = [await most(inputs), await most(inputs.map(cutInput))];
  let maximum = 0;
  const worst = await climb({
    seeds: [...(known ? [known] : []), ...inputs, ...inputs.map(cutInput), ...more],
    rounds,
    name,
    async costOf(input) {
      const ms = await msOf(parser, input, maximum);
      maximum = Math.max(maximum, ms);
      return ms;
    },
  });
  const cells = [name, ...[valid, cut, Math.max(worst.ms, valid, cut)].map((ms) => ms.toFixed(1))];
  return { cells, worst };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      rounds: { type: 'string', default: '400' },
      only: { type: 'string', multiple: true, default: [] },
      keep: { type: 'string' },
      show: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const rounds = positive('rounds', values.rounds);
  const { parsers, stop } = await createParsers();
  const { keep } = values;
  const kept: Record<string, Input> =
    keep !== undefined && existsSync(keep) ? (JSON.parse(readFileSync(keep, 'utf8')) as Record<string, Input>) : {};
  const rows: string[][] = [];
  for (const parser of parsers) {
    if (values.only.length > 0 && !values.only.some((text) => parser.name.includes(text))) continue;
    const { cells, worst } = await rowOf(parser, { rounds, known: kept[parser.name] });
    kept[parser.name] = worst.input;
    if (keep !== undefined) writeFileSync(keep, JSON.stringify(kept));
    rows.push(cells);
    console.error(cells.join('  '));
    if (values.show)
      for (const part of Object.values(worst.input)) console.error(JSON.stringify(part.slice(0, shownLength)));
  }
  await stop();
  console.log(markdownTable(['Parser', 'valid', 'cut', 'worst'], rows));
  const slow = rows.filter((cells) => Number(cells.at(-1)) > msMax);
  if (slow.length > 0) process.exitCode = 1;
}

await main();
