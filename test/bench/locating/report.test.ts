import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contenders } from '../../../bench/locating/deciders.js';
import { readLocatingOptions } from '../../../bench/locating/options.js';
import { plotTruth } from '../../../bench/locating/plot.js';
import { readRecordedReads } from '../../../bench/locating/recorded-reads.js';
import { report } from '../../../bench/locating/report.js';
import { runAll, type WorldOutcome } from '../../../bench/locating/run-all.js';
import type { Score } from '../../../bench/locating/score.js';
import { isReached, verdictsOf } from '../../../bench/locating/targets.js';
import { startMs, worldNamed } from './fixtures.js';

const perfect: Score = {
  ...{ coveredMs: 1000, correctMs: 1000, trueMoves: 10, foundMoves: 10, delaysMs: [500], reportedMoves: 10 },
  ...{ truePassages: 0, foundPassages: 0, falsePassages: 0, assetDays: 1, reads: 100, cpuMs: 1 },
};

function outcomesOf(world: string, scores: Readonly<Record<string, Partial<Score>>>): WorldOutcome {
  const spec = worldNamed(world);
  const outcomes = contenders
    .filter(({ name }) => name in scores)
    .map((contender) => ({ contender, score: { ...perfect, ...scores[contender.name] } }));
  return { name: spec.name, title: spec.title, spec, outcomes };
}

describe('targets', () => {
  it('are reached by a perfect decider, for delays only where tags are read once a second', () => {
    const verdicts = verdictsOf([outcomesOf('W0', { evidence: {} }), outcomesOf('W0s', { evidence: {} })]);
    expect(verdicts.every(isReached)).toBe(true);
    expect(verdicts.map(({ world, target }) => `${world} ${target}`)).toEqual([
      'W0 truth % ≥ 99',
      'W0 moves ≤ 1.1',
      'W0s truth % ≥ 99',
      'W0s moves ≤ 1.1',
      'W0s delay p50 s ≤ 1.5',
      'W0s delay p95 s ≤ 4',
    ]);
  });

  it('report by how much they were missed, against the baselines of the same run', () => {
    const results = [
      outcomesOf('W1', {
        latest: { correctMs: 350 },
        edgex: { correctMs: 900 },
        oracle: { correctMs: 980 },
        evidence: { correctMs: 890, reportedMoves: 17 },
      }),
    ];
    const missed = verdictsOf(results)
      .filter((verdict) => !isReached(verdict))
      .map(({ target, missedBy }) => [target, Math.round(missedBy * 100) / 100]);
    expect(missed).toEqual([
      ['truth % (oracle - 3) ≥ 95', 6],
      ['moves ≤ 1.5', 0.2],
      ['truth % (EdgeX) ≥ 90', 1],
    ]);
  });

  it('count passages where there are portals, and miss what was not measured', () => {
    const found = { truePassages: 100, foundPassages: 97, falsePassages: 1, assetDays: 10, delaysMs: [] };
    const missed = verdictsOf([outcomesOf('W4', { evidence: found })]).filter((verdict) => !isReached(verdict));
    expect(missed.map(({ target }) => target)).toEqual([
      'delay p50 s ≤ 1.5',
      'delay p95 s ≤ 4',
      'passages % ≥ 98',
      'false passages per asset and day ≤ 0.05',
    ]);
  });
});

describe('the report', () => {
  const results = [outcomesOf('W0', { latest: { correctMs: 935 }, evidence: {} })];

  it('begins with truth, moves and delays of all worlds', () => {
    const [heading, , row] = report([...results, outcomesOf('W7', { evidence: {} })], []).split('\n');
    expect(heading?.split(/ *\| */)).toEqual(['', 'world', 'latest', 'evidence', '']);
    expect(row).toMatch(/^\| W0 As the demo: .* \| 93\.5 \(1\.00; 0\.5\) \| 100\.0 \(1\.00; 0\.5\) \|$/);
  });

  it('has a line of even width for each decider', () => {
    const lines = report(results, verdictsOf(results)).split('\n');
    expect(lines).toContain('W0: As the demo: leak 24/30 dB (10 moves, 100 reads)');
    const heading = lines.find((line) => line.startsWith('decider')) ?? '';
    const latest = lines.find((line) => line.startsWith('latest')) ?? '';
    expect(latest).toHaveLength(heading.length);
    expect(latest.split(/ +/)).toEqual(['latest', '93.5', '1.00', '0.5', '0.5', '0.0', '-', '-', '10.0']);
    expect(lines).toContain('Targets: 3 of 3 reached');
  });

  it('is drawn as well-formed SVG with a marker for each decider', () => {
    const svg = plotTruth([...results, outcomesOf('W7', { latest: {}, oracle: {} })]);
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(openElements(svg)).toEqual([]);
    expect(svg).not.toContain('NaN');
    expect(svg).toContain('Latest read');
    expect(svg).not.toContain('EdgeX rule');
    // Two markers for the latest read and one in the legend.
    expect(svg.match(/fill="#b45309"/g)).toHaveLength(3);
  });
});

/** Elements that are not closed, or closed by another name. */
function openElements(svg: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = '', end] of svg.matchAll(/<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>/gi)) {
    if (slash === '/') {
      if (open.pop() !== name) return [...open, `/${name}`];
    } else if (end !== '/') open.push(name);
  }
  return open;
}

describe('a run', () => {
  it('replays a small world to every decider, the same each time', () => {
    const options = readLocatingOptions(['--only', 'rooms', '--seeds', '7', '--assets', '1']);
    const progress: string[] = [];
    const [result] = runAll(options, (line) => progress.push(line));
    expect(progress).toHaveLength(1);
    expect(result?.outcomes.map(({ contender }) => contender.name)).toEqual(contenders.map(({ name }) => name));
    for (const { contender, score } of result?.outcomes ?? []) {
      expect(score.correctMs / score.coveredMs, contender.name).toBeGreaterThan(0.9);
    }
    const timeless = (outcome: WorldOutcome | undefined) =>
      outcome?.outcomes.map(({ score }) => ({ ...score, cpuMs: 0 }));
    expect(timeless(runAll(options, () => {})[0])).toEqual(timeless(result));
  });

  it('names the worlds and deciders there are', () => {
    const run = (...args: string[]) => runAll(readLocatingOptions(args), () => {});
    expect(() => run('--only', 'W99')).toThrow('no world is named W99: W0, ');
    expect(() => run('--deciders', 'latest,best')).toThrow('no decider is named best: latest, ');
  });

  it('can be longer than the world, and leave out its first hours', () => {
    const run = (...args: string[]) => {
      const fixed = ['--only', 'W1', '--seeds', '7', '--assets', '2', '--deciders', 'latest'];
      return runAll(readLocatingOptions([...fixed, ...args]), () => {})[0]?.outcomes[0]?.score;
    };
    const [first, both, second] = [run('--hours', '1'), run('--hours', '2'), run('--hours', '2', '--from-hour', '1')];
    expect(second?.reads).toBe(both?.reads);
    expect(second?.assetDays).toBeCloseTo(2 / 24);
    // The visit during which the second hour begins is part of neither.
    const left = (both?.coveredMs ?? 0) - (second?.coveredMs ?? 0);
    expect(left).toBeGreaterThanOrEqual(first?.coveredMs ?? 0);
    expect(left).toBeLessThan((first?.coveredMs ?? 0) + 2 * 3_600_000);
    expect(second?.correctMs).toBeGreaterThan(0);
    expect(() => run('--from-hour', '3')).toThrow('W1 ends after 3 hours');
  });

  it('replays recorded reads, a trial for each asset', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-reads-'));
    try {
      const line = (second: number, antenna: number, label: number) =>
        `${second},0,0,1,${antenna},-60.5,1,924.25,${label}`;
      const trial = [line(0, 1, 1), line(10, 3, 3), line(20, 2, 4), line(25, 2, 2), line(45.5, 2, 2), ''];
      writeFileSync(path.join(folder, 'd1p01M'), trial.join('\n'));
      writeFileSync(path.join(folder, 'd1p02F'), line(0, 2, 2));
      writeFileSync(path.join(folder, 'README.md'), 'not a trial');
      const replay = readRecordedReads(folder);
      expect(
        replay.visits[0]?.map(({ location, fromMs, untilMs }) => [location, fromMs - startMs, untilMs - startMs]),
      ).toEqual([
        [1, 0, 20_000],
        [0, 20_000, 25_000],
        [2, 25_000, 45_500],
      ]);
      expect(replay.reads.count).toBe(6);
      expect(replay.reads.rssiDbm[0]).toBe(-60.5);
      const [result] = runAll(
        readLocatingOptions(['--data', folder, '--only', 'UCI', '--deciders', 'latest,oracle']),
        () => {},
      );
      expect(result?.outcomes).toHaveLength(1);
      expect(verdictsOf(result ? [result] : [])).toEqual([]);
      // The first 15 s of the bed and 15.5 s of the chair count after the arrival; the latest read is right in all of them.
      expect(result?.outcomes[0]?.score).toMatchObject({ coveredMs: 30_500, correctMs: 30_500, trueMoves: 1 });
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(() => readRecordedReads(tmpdir())).toThrow('no file in');
  });
});

describe('options', () => {
  it('report three seeds that nobody tunes on, and write the plot of a whole run', () => {
    const reported = readLocatingOptions([]);
    const tuning = readLocatingOptions(['--tune']);
    expect(reported.seeds).toHaveLength(3);
    expect(reported.seeds.filter((seed) => tuning.seeds.includes(seed))).toEqual([]);
    expect(reported.svgFile).toBe(path.resolve('docs/pictures/locating.svg'));
    expect(tuning.svgFile).toBeUndefined();
    expect(readLocatingOptions(['--only', 'W0', '--svg', 'a.svg']).svgFile).toBe(path.resolve('a.svg'));
  });

  it('reject what makes no sense', () => {
    expect(() => readLocatingOptions(['--seeds', '1,x'])).toThrow('--seeds must be a whole number above zero');
    expect(() => readLocatingOptions(['--fast'])).toThrow("Unknown option '--fast'");
  });
});
