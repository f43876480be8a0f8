import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLocatingOptions } from '../../../bench/locating/options.js';
import { runInProcesses } from '../../../bench/locating/run-in-processes.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-processes-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A program that answers each job as the given function says. */
function program(name: string, answer: string): string {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(file, `const answer = ${answer};\nprocess.on('message', (job) => answer(job));\n`);
  return file;
}

const score = `{ coveredMs: 1000, correctMs: 500 + job.seed, trueMoves: 1, foundMoves: 1, delaysMs: [job.seed], reportedMoves: 1,
  truePassages: 0, foundPassages: 0, falsePassages: 0, assetDays: 1, reads: 1, cpuMs: 1 }`;

it('adds up the seeds of each world, in the order of the report', async () => {
  const file = program('answers', `(job) => process.send(new Map([['latest', ${score}]]))`);
  const options = readLocatingOptions(['--only', 'W1,rooms', '--seeds', '1,2,3', '--deciders', 'latest']);
  const lines: string[] = [];
  const outcomes = await runInProcesses(file, options, (line) => lines.push(line));
  expect(outcomes.map(({ name }) => name)).toEqual(['rooms', 'W1']);
  for (const { outcomes: ofWorld } of outcomes) {
    expect(ofWorld).toMatchObject([
      { contender: { name: 'latest' }, score: { coveredMs: 3000, correctMs: 1506, delaysMs: [1, 2, 3] } },
    ]);
  }
  expect(lines).toEqual(['rooms …', 'W1 …']);
});

it('fails if one of its processes fails', async () => {
  const file = program('fails', '() => process.exit(3)');
  const options = readLocatingOptions(['--only', 'rooms', '--seeds', '1,2']);
  await expect(runInProcesses(file, options, () => {})).rejects.toThrow('exit code 3');
});
