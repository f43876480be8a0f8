import { createRandom, type Random } from '../locating/random.js';
import type { Input } from './input.js';

const stale = 60;
const shareToBeat = 1.02;

/** Pieces on which parsers decide: brackets, quotes, separators, numbers, and records of one field. */
const pieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  ',',
  ':',
  ';',
  '\t',
  '\n',
  '\0',
  ' ',
  '-',
  '.',
  'e',
  '0',
  '1',
  'x',
  '%',
  '&',
  '=',
  '{"',
  '":',
  '},{',
  '],[',
  '}{',
  '""',
  '[]',
  '{}',
  '[{',
  '}]',
  ',,',
  '\\"',
  '\r\n',
  'null',
  'NaN',
  '12e3',
  '%C3',
  '{"a":1}',
  '["x"],',
  '{"epc":"E1"},',
  '[{"a":1}],',
  '"a":',
  '"a":{',
  '"reads":[',
  '(01)',
  '\u00ff',
  '\u00c3\u00a9',
];

type Part = keyof Input;

export type ClimbOptions = {
  seeds: readonly Input[];
  rounds: number;
  /** The name of the stream of random numbers. */
  name: string;
  /** Returns the processor time of an input in milliseconds. */
  costOf(input: Input): Promise<number>;
};

/**
 * Looks for the input that costs most: changes what has cost most until now in one place, and keeps the change if it
 * costs more. Begins with the seed that costs most; after many changes in vain it begins again with the next one.
 */
export async function climb({ seeds, rounds, name, costOf }: ClimbOptions): Promise<{ input: Input; ms: number }> {
  const random = createRandom(1, name);
  const begins: { input: Input; ms: number }[] = [];
  for (const input of seeds) begins.push({ input, ms: await costOf(input) });
  begins.sort((one, other) => other.ms - one.ms);
  let worst = begins[0] ?? { input: { head: '', unit: '', tail: '' }, ms: 0 };
  let current = worst;
  let waited = 0;
  for (let round = 0, next = 1; round < rounds; round += 1) {
    if (waited >= stale) {
      current = begins[next % begins.length] ?? worst;
      next += 1;
      waited = 0;
    }
    const input = changed(current.input, seeds, random);
    const ms = await costOf(input);
    waited += 1;
    if (ms > current.ms * shareToBeat) {
      current = { input, ms };
      waited = 0;
    }
    if (current.ms > worst.ms) worst = current;
  }
  return worst;
}

function changed(input: Input, seeds: readonly Input[], random: Random): Input {
  const pick = <Item>(list: readonly Item[]) => list[Math.floor(random.uniform(0, list.length))] as Item;
  const part = pick<Part>(['unit', 'unit', 'unit', 'unit', 'head', 'tail']);
  const text = input[part];
  const [from = 0, to = 0] = [random.uniform(0, text.length + 1), random.uniform(0, text.length + 1)]
    .map(Math.floor)
    .toSorted((one, other) => one - other);
  const seed = pick(seeds);
  const other = seed[pick<Part>(['head', 'unit', 'unit', 'tail'])];
  const begin = Math.floor(random.uniform(0, other.length));
  switch (pick(['insert', 'insert', 'replace', 'remove', 'repeat', 'adopt', 'join'])) {
    case 'insert':
      return { ...input, [part]: text.slice(0, from) + pick(pieces) + text.slice(from) };
    case 'replace':
      return { ...input, [part]: text.slice(0, from) + pick(pieces) + text.slice(from + 1) };
    case 'remove':
      return { ...input, [part]: text.slice(0, from) + text.slice(to) };
    case 'repeat':
      return { ...input, [part]: text.slice(0, to) + text.slice(from, to) + text.slice(to) };
    case 'adopt':
      return { ...input, [part]: other };
    default:
      return { ...input, [part]: text.slice(0, from) + other.slice(begin, begin + 40) + text.slice(from) };
  }
}
