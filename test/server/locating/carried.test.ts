import { expect, test } from 'vitest';
import { antennaKey, type AssetState, createKnowledge, decide, explain } from '../../../server/locating/index.js';
import { createRandom } from '../../support/random.js';
import { startMs, zone } from './support.js';

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
  const knowledge = createKnowledge();
  const surroundings = knowledge.surroundings((antenna) => zone(Math.floor(antenna / 65536) <= 2 ? outside : inside));
  let state: AssetState | undefined;
  const moves: { location: number; afterMs: number }[] = [];
  const fading = receivers.map(() => 0);
  for (let atMs = 0; atMs < endMs; atMs += 100) {
    const way = Math.min(1, Math.max(0, (atMs - leavesMs) / (arrivesMs - leavesMs)));
    for (const [i, { levels }] of receivers.entries()) {
      const [before = 0, after = 0] = levels;
      fading[i] = 0.7 * (fading[i] ?? 0) + 3 * Math.sqrt(0.51) * normal();
      const rssiDbm = Math.round(before + way * (after - before) + fading[i]);
      const read = { antenna: antennaKey(i + 1, 1), tag: 1, rssiDbm, atMs: startMs + atMs + i };
      knowledge.reported(i + 1, read.atMs);
      const judgment = decide(state, read, surroundings);
      knowledge.learn(judgment, { orgId: 1, nowMs: startMs });
      state = judgment.state;
      // Until the first seconds are over, nobody knows which receiver is the nearest.
      if (judgment.movedAtMs !== null && atMs > 5000) {
        moves.push({ location: judgment.location, afterMs: atMs - arrivesMs });
      }
    }
  }
  expect(moves).toEqual([{ location: inside, afterMs: expect.any(Number) }]);
  expect(moves[0]?.afterMs).toBeLessThan(4000);
  expect(state && explain(state, surroundings, startMs + endMs).confidence).toBeGreaterThan(0.9);
});
