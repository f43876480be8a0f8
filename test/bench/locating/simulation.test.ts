import { describe, expect, it } from 'vitest';
import { createDelivery, stampOf } from '../../../bench/locating/delivery.js';
import { createRandom } from '../../../bench/locating/random.js';
import { createRecorder } from '../../../bench/locating/recording.js';
import { createWorld, type World } from '../../../bench/locating/world.js';
import { worlds } from '../../../bench/locating/worlds.js';
import { startMs, worldNamed } from './fixtures.js';

/** A world of few assets and one hour, which still has reads of every kind. */
function smallWorld(name: string, seed: number): World {
  return createWorld(worldNamed(name), seed, { hours: 1, assets: 3 });
}

describe('random numbers', () => {
  it('are the same for the same seed and stream, and others for another', () => {
    const first = (seed: number, stream: string) => createRandom(seed, stream).fraction();
    expect(first(1, 'visits')).toBe(first(1, 'visits'));
    expect(new Set([first(1, 'visits'), first(2, 'visits'), first(1, 'reads')]).size).toBe(3);
  });

  it('have the mean and the deviation that were asked for', () => {
    const random = createRandom(1, 'test');
    const values = Array.from({ length: 20_000 }, () => random.normal(-57, 4.5));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(mean).toBeCloseTo(-57, 0);
    expect(Math.sqrt(variance)).toBeCloseTo(4.5, 0);
  });
});

describe('a world', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(smallWorld('W5', 1)).toEqual({ ...smallWorld('W5', 1), spec: expect.anything() });
    expect(smallWorld('W5', 1).reads.trueMs).not.toEqual(smallWorld('W5', 2).reads.trueMs);
  });

  it('has the same measured reads whether labels are replayed or not, and labels of each zone three times', () => {
    const { labels } = smallWorld('W1', 1);
    const counts = new Map<number, number>();
    for (const { location } of labels.scans) counts.set(location, (counts.get(location) ?? 0) + 1);
    expect([...counts.values()]).toEqual(Array.from({ length: 12 }, () => 3));
    expect(labels.reads.trueMs.every((atMs) => atMs < startMs)).toBe(true);
  });

  it.each(worlds.map(({ name }) => name))(
    '%s has reads in the order of receipt, within visits, by antennas in reach',
    (name) => {
      const { reads, visits, layout, endMs } = smallWorld(name, 1);
      expect(reads.count).toBeGreaterThan(20);
      for (let i = 0; i < reads.count; i += 1) {
        const atMs = reads.trueMs[i] ?? 0;
        const visit = visits[reads.asset[i] ?? 0]?.find(
          ({ fromMs, untilMs }) => atMs >= Math.floor(fromMs) && atMs < untilMs,
        );
        const attenuationDb = layout.attenuationDb[visit?.location ?? 0]?.[reads.antenna[i] ?? 0] ?? Infinity;
        if (attenuationDb === Infinity || atMs > endMs) expect.fail(`read ${i} has no cause`);
        if ((reads.receivedMs[i] ?? 0) < (reads.receivedMs[i - 1] ?? 0)) expect.fail(`read ${i} is out of order`);
        if ((reads.receivedMs[i] ?? 0) < atMs) expect.fail(`read ${i} is received before it is made`);
      }
    },
  );

  it.each(worlds.map(({ name }) => name))('%s has moves whose chances add up to one', (name) => {
    const { moves, locations, dwell } = worldNamed(name).layout();
    expect(moves.slice(1)).toHaveLength(locations);
    expect(dwell.slice(1)).toHaveLength(locations);
    for (const chances of moves.slice(1)) expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
  });

  it('receives a tag more weakly in the next zone', () => {
    const { reads, visits, site } = createWorld(worldNamed('W1'), 1, { assets: 4 });
    const sums = [0, 0, 0];
    const counts = [0, 0, 0];
    for (let i = 0; i < reads.count; i += 1) {
      const atMs = reads.trueMs[i] ?? 0;
      const visit = visits[reads.asset[i] ?? 0]?.find(
        ({ fromMs, untilMs }) => atMs >= Math.floor(fromMs) && atMs < untilMs,
      );
      const distance = Math.abs((site.antennas[reads.antenna[i] ?? 0]?.location ?? 0) - (visit?.location ?? 0));
      sums[distance] = (sums[distance] ?? 0) + (reads.rssiDbm[i] ?? 0);
      counts[distance] = (counts[distance] ?? 0) + 1;
    }
    const mean = (distance: number) => (sums[distance] ?? 0) / (counts[distance] ?? 0);
    expect(counts).toHaveLength(3);
    // Weak reads are lost, so what is left of 8 and 16 dB is less.
    expect(mean(0) - mean(1)).toBeGreaterThan(3);
    expect(mean(1) - mean(2)).toBeGreaterThan(1);
  });
});

describe('delivery', () => {
  const random = createRandom(1, 'delivery');

  it('holds reads back while the reader is offline, and then delivers them in order', () => {
    const deliver = createDelivery({ outages: [{ fromMs: 10_000, untilMs: 60_000 }] }, startMs, random);
    const receivedMs = [9000, 10_000, 30_000, 59_999, 60_100, 70_000].map((ms) => deliver(startMs + ms) - startMs);
    expect(receivedMs[0]).toBeLessThan(9300);
    expect(receivedMs.slice(1, 5).every((ms) => ms >= 60_000 && ms < 61_000)).toBe(true);
    expect(receivedMs).toEqual([...receivedMs].sort((a, b) => a - b));
    expect((receivedMs[3] ?? 0) - (receivedMs[1] ?? 0)).toBeGreaterThanOrEqual(40);
    expect(receivedMs[5]).toBeLessThan(70_300);
  });

  it('shows the time of a clock that is wrong', () => {
    const steps = {
      offsets: [
        { fromMs: 0, offsetMs: -5000 },
        { fromMs: 100_000, offsetMs: 2000 },
      ],
    };
    expect(stampOf({}, startMs, startMs + 7)).toBe(startMs + 7);
    expect(stampOf(steps, startMs, startMs + 1000)).toBe(startMs - 4000);
    expect(stampOf(steps, startMs, startMs + 100_000)).toBe(startMs + 102_000);
    expect(stampOf({ driftPpm: 200 }, startMs, startMs + 1_000_000)).toBe(startMs + 1_000_200);
  });
});

it('records reads of any order, and more than fit at first', () => {
  const recorder = createRecorder(startMs);
  const count = 40_000;
  for (let i = 0; i < count; i += 1) recorder.add({ asset: 1, tag: 2, antenna: i % 3 }, -i / 1000, startMs + count - i);
  const now = (_antenna: number, trueMs: number) => trueMs;
  const recording = recorder.deliver(now, now);
  expect(recording.count).toBe(count);
  expect(recording.trueMs[0]).toBe(startMs + 1);
  expect(recording.antenna[0]).toBe((count - 1) % 3);
  expect(recording.rssiDbm[count - 1]).toBeCloseTo(0, 9);
  expect(recording.trueMs[count - 1]).toBe(startMs + count);
});
