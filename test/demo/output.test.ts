import { expect, test } from 'vitest';
import { createOutput } from '../../demo/output.js';
import { createProgress } from '../../demo/progress.js';
import { hourMs } from '../../demo/shifts.js';

function createScreen(terminal: { isTTY?: boolean; columns?: number }) {
  const written: string[] = [];
  const progress = { ...terminal, write: (text: string) => written.push(text) };
  const results: string[] = [];
  return { written, results, output: createOutput({ progress, results: { write: (text) => results.push(text) } }) };
}

const erase = '\r\u001B[2K';

test('a terminal shows the status below the lines that stay', () => {
  const { written, results, output } = createScreen({ isTTY: true, columns: 12 });
  output.line('one');
  output.status('a status longer than that');
  output.line('two');
  output.result('all');
  output.line('three');
  expect(written).toEqual(['one\n', `${erase}a status lo`, `${erase}two\na status lo`, erase, 'three\n']);
  expect(results).toEqual(['all\n']);
});

test('where no status is shown, two lines are written per hour of a day of twelve', () => {
  const { written, output } = createScreen({});
  output.status('nowhere');
  const progress = createProgress({ output, dayMs: 12 * hourMs, beganAtMs: Date.now() });
  for (let minute = 1; minute <= 70; minute += 1) {
    progress.show({ dayMs: (minute * hourMs) / 60, reads: minute * 1000, latest: undefined });
  }
  expect(written.map((line) => line.replace(/\d+ times/, 'N times'))).toEqual([
    '06:30    4 %  30,000 reads, N times real time\n',
    '07:00    8 %  60,000 reads, N times real time\n',
  ]);
});
