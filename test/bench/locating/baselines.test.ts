import { describe, expect, it } from 'vitest';
import { createEdgexRule } from '../../../bench/locating/edgex-rule.js';
import { createLatestRead } from '../../../bench/locating/latest-read.js';
import { createOracle } from '../../../bench/locating/oracle.js';
import { runReplay } from '../../../bench/locating/run-replay.js';
import { measuresOf } from '../../../bench/locating/score.js';
import { createStrongestRead } from '../../../bench/locating/strongest-read.js';
import { createWorld } from '../../../bench/locating/world.js';
import { locationsAfter, readAt, site, startMs, worldNamed } from './fixtures.js';

describe('latest read', () => {
  it('follows each read that is newer by the time of its reader', () => {
    const late = readAt(3, 0, { stampMs: startMs + 500 });
    expect(locationsAfter(createLatestRead(site), [readAt(1, 0), readAt(2, 1), late])).toEqual([1, 2, 2]);
  });

  it('takes the receipt for a time that is ahead', () => {
    const ahead = readAt(1, 0, { stampMs: startMs + 7_200_000 });
    expect(locationsAfter(createLatestRead(site), [ahead, readAt(2, 1)])).toEqual([1, 2]);
  });
});

describe('strongest in 60 s', () => {
  it('compares the means of the last minute', () => {
    const reads = [
      readAt(0, 0, { rssiDbm: -50 }),
      readAt(1, 1, { rssiDbm: -55 }),
      readAt(2, 0, { rssiDbm: -70 }),
      readAt(55, 1, { rssiDbm: -58 }),
      readAt(62.5, 1, { rssiDbm: -72 }),
    ];
    expect(locationsAfter(createStrongestRead(site), reads)).toEqual([1, 1, 2, 2, 2]);
  });

  it('forgets a read after a minute, also without another one', () => {
    const decider = createStrongestRead(site);
    expect(locationsAfter(decider, [readAt(0, 0, { rssiDbm: -50 }), readAt(30, 1, { rssiDbm: -65 })])).toEqual([1, 1]);
    decider.expire?.(startMs + 59_000);
    expect(decider.locationOf(0)).toBe(1);
    decider.expire?.(startMs + 61_000);
    expect(decider.locationOf(0)).toBe(2);
    decider.expire?.(startMs + 300_000);
    expect(decider.locationOf(0)).toBe(2);
  });

  it('lets the newest read win where there is no RSSI', () => {
    const reads = [readAt(0, 0, { rssiDbm: null }), readAt(1, 1, { rssiDbm: null }), readAt(2, 0, { rssiDbm: null })];
    expect(locationsAfter(createStrongestRead(site), reads)).toEqual([1, 2, 1]);
  });
});

describe('EdgeX rule', () => {
  it('moves an asset for 6 dB more, and for less after a silence', () => {
    const reads = [
      readAt(0, 0, { rssiDbm: -60 }),
      readAt(0.4, 1, { rssiDbm: -55 }),
      readAt(0.5, 0, { rssiDbm: -60 }),
      // The margin is 6 dB until 0.5 s after the last read at the present antenna, and 2 dB at 1 s.
      readAt(0.9, 1, { rssiDbm: -55 }),
      readAt(1.5, 1, { rssiDbm: -55 }),
    ];
    expect(locationsAfter(createEdgexRule(site), reads)).toEqual([1, 1, 1, 1, 2]);
    const strong = [readAt(0, 0, { rssiDbm: -60 }), readAt(0.1, 1, { rssiDbm: -53 })];
    expect(locationsAfter(createEdgexRule(site), strong)).toEqual([1, 2]);
  });

  it('compares the means of the last twenty reads', () => {
    const decider = createEdgexRule(site);
    locationsAfter(decider, [readAt(0, 0, { rssiDbm: -60 }), readAt(0, 1, { rssiDbm: -90 })]);
    const challenges = Array.from({ length: 20 }, (_, i) => [
      readAt(0.1 * i, 0, { rssiDbm: -60 }),
      readAt(0.1 * i + 0.05, 1, { rssiDbm: -53 }),
    ]);
    const locations = locationsAfter(decider, challenges.flat());
    // Seven decibels more than -60 need all twenty reads at -53, without the first at -90.
    expect(locations.indexOf(2)).toBe(39);
  });

  it('lets an asset depart that is not read for ten minutes', () => {
    const decider = createEdgexRule(site);
    locationsAfter(decider, [readAt(0, 0)]);
    decider.expire?.(startMs + 600_000);
    expect(decider.locationOf(0)).toBe(1);
    decider.expire?.(startMs + 600_001);
    expect(decider.locationOf(0)).toBe(0);
    expect(locationsAfter(decider, [readAt(601, 1, { rssiDbm: -69 })])).toEqual([2]);
  });
});

describe('oracle', () => {
  const truthOf = (name: string, { hours, assets }: { hours: number; assets: number }) => {
    const world = createWorld(worldNamed(name), 11, { hours, assets });
    return measuresOf(runReplay(world, createOracle(world))).truthPercent;
  };

  it('is right nearly always where fields overlap', () => {
    expect(truthOf('W1', { hours: 2, assets: 2 })).toBeGreaterThan(97);
  });

  it('uses the rate of reads where there is no RSSI', () => {
    expect(truthOf('W6', { hours: 4, assets: 2 })).toBeGreaterThan(97);
  });

  it('takes what a reader delivers late into account at the time of the read', () => {
    expect(truthOf('W5', { hours: 8, assets: 4 })).toBeGreaterThan(98.5);
  });

  it('does not take silence in a cage for a move', () => {
    expect(truthOf('W9', { hours: 8, assets: 4 })).toBeGreaterThan(98.5);
  });
});
