import { expect, test } from 'vitest';
import { antennaKey, type AssetState, createSite, explain, judge } from '../../../server/locating/index.js';
import { createRandom } from '../../support/random.js';
import { startMs } from './support.js';

const [outside, inside] = [1, 2];
/** Two receivers on each side of a door: levels of a tag outside, and of the same tag inside, in dBm. */
const receivers = [
  { location: outside, levels: [-60, -66] },
  { location: outside, levels: [-64, -69] },
  { location: inside, levels: [-67, -59] },
  { location: inside, levels: [-70, -63] },
];
const [leavesMs, arrivesMs, endMs] = [60_000, 63_000, 90_000];

test('A tag that is read ten times a second is shown inside within four seconds of its way through the door, once, and with confidence', () => {
  const random = createRandom(5);
  const normal = () => Array.from({ length: 12 }, random).reduce((sum, one) => sum + one - 0.5, 0);
  const site = createSite();
  let state: AssetState | undefined;
  const moves: { location: number; afterMs: number }[] = [];
  const fading = receivers.map(() => 0);
  for (let atMs = 0; atMs < endMs; atMs += 100) {
    const way = Math.min(1, Math.max(0, (atMs - leavesMs) / (arrivesMs - leavesMs)));
    for (const [i, { location, levels }] of receivers.entries()) {
      const [before = 0, after = 0] = levels;
      fading[i] = 0.7 * (fading[i] ?? 0) + 3 * Math.sqrt(0.51) * normal();
      const rssiDbm = Math.round(before + way * (after - before) + fading[i]);
      const antenna = { antenna: antennaKey(i + 1, 1), location, kind: 'zone', rule: 'evidence' } as const;
      const read = { ...antenna, tag: 1, isBle: true, rssiDbm, atMs: startMs + atMs + i };
      site.reported(i + 1, read.atMs);
      const judgment = judge(state, read, site.surroundings);
      site.learn(judgment);
      state = judgment.state;
      // Until the first seconds are over, nobody knows which receiver is the nearest.
      if (judgment.movedAtMs !== null && atMs > 5000) {
        moves.push({ location: judgment.state.location, afterMs: atMs - arrivesMs });
      }
    }
  }
  expect(moves).toEqual([{ location: inside, afterMs: expect.any(Number) }]);
  expect(moves[0]?.afterMs).toBeLessThan(4000);
  expect(state && explain(state, site.surroundings, startMs + endMs).confidence).toBeGreaterThan(0.9);
});
