import { expect, test } from 'vitest';
import {
  type AssetState,
  createClock,
  createKnowledge,
  decide,
  decideHandheld,
  explain,
} from '../../../server/locating/index.js';
import { createRandom } from '../../support/random.js';
import { antennaOf, readAt, readsAt, play, startMs, surroundingsWith, zone } from './support.js';

const settings = (key: number) => zone(Math.floor(key / 65536));

/** Plays visits to locations in a row whose antennas overlap: the adjacent ones receive them 8 dB weaker. */
function learnRow(seed: number, visits: number) {
  const knowledge = createKnowledge();
  const surroundings = knowledge.surroundings(settings);
  const random = createRandom(seed);
  let state: AssetState | undefined;
  let second = 0;
  const row = {
    nowMs: () => startMs + second * 1000,
    play(location: number, seconds: number, addDb = 0) {
      for (let i = 0; i < seconds; i += 1) {
        for (const [offset, rssiDbm] of [-67, -56, -65].entries()) {
          const level = rssiDbm + addDb + Math.round(random() * 4 - 2);
          const read = readAt(location - 1 + offset, second + offset / 4, level);
          knowledge.reported(Math.floor(read.antenna / 65536), read.atMs);
          const judgment = decide(state, read, surroundings);
          state = judgment.state;
          knowledge.learn(judgment, { orgId: 1, nowMs: startMs });
        }
        second += 1;
      }
    },
  };
  for (let visit = 0; visit < visits; visit += 1) row.play(2 + Math.floor(random() * 5), 60);
  return { knowledge, surroundings, row };
}

test('Levels and signatures are learned from visits', () => {
  const { surroundings } = learnRow(1, 30);
  expect(surroundings.level(antennaOf(4))).toMatchObject({ meanDbm: expect.closeTo(-56, 0) });
  expect(surroundings.level(antennaOf(4))?.gapMs).toBeCloseTo(1000, -2);
  expect(surroundings.signature(4, antennaOf(4))?.meanDbm).toBeCloseTo(-56, 0);
  expect(surroundings.signature(4, antennaOf(3))?.meanDbm).toBeCloseTo(-67, 0);
  expect(surroundings.signature(4, antennaOf(7))).toBeUndefined();
});

test('What was learned survives being stored', () => {
  const { knowledge, surroundings } = learnRow(2, 30);
  const rows = knowledge.takeChanges();
  expect(rows.levels.length).toBeGreaterThan(4);
  expect(rows.signatures.length).toBeGreaterThan(8);
  const restored = createKnowledge();
  restored.restore(rows);
  const after = restored.surroundings(settings);
  expect(after.level(antennaOf(4))).toEqual(surroundings.level(antennaOf(4)));
  expect(after.signature(4, antennaOf(3))).toEqual(surroundings.signature(4, antennaOf(3)));
  expect(restored.takeChanges()).toEqual({ levels: [], signatures: [] });
});

test('Changes are returned once', () => {
  const { knowledge } = learnRow(3, 10);
  knowledge.takeChanges();
  expect(knowledge.takeChanges()).toEqual({ levels: [], signatures: [] });
});

test('Stored rows do not replace what was learned since', () => {
  const { knowledge, surroundings } = learnRow(4, 30);
  const before = surroundings.level(antennaOf(4));
  knowledge.restore({
    levels: [{ antenna: antennaOf(4), meanDbm: -90, flickerDb: 1, gapMs: 1, reads: 1 }],
    signatures: [{ location: 4, antenna: antennaOf(4), reads: 1, meanDbm: -90, variance: 1, labels: 0 }],
  });
  expect(surroundings.level(antennaOf(4))).toEqual(before);
  expect(surroundings.signature(4, antennaOf(4))?.meanDbm).toBeCloseTo(-56, 0);
});

test('A location without an antenna is learned from scans and found again', () => {
  const knowledge = createKnowledge();
  const surroundings = knowledge.surroundings(settings);
  for (let visit = 0; visit < 4; visit += 1) {
    let { state } = decideHandheld(undefined, { location: 50, atMs: startMs + visit * 600_000 }, surroundings);
    for (let i = 1; i < 60; i += 1) {
      const read = readAt(1 + (i % 2), visit * 600 + i, i % 2 === 0 ? -66 : -68);
      const judgment = decide(state, { ...read, tag: visit }, surroundings);
      state = judgment.state;
      knowledge.learn(judgment, { orgId: 1, nowMs: startMs });
    }
  }
  expect(surroundings.signature(50, antennaOf(1))?.meanDbm).toBeCloseTo(-66, 0);
  expect(surroundings.locationsOf?.(antennaOf(1))).toContain(50);
});

test('Reads of the own tag of a location are labels', () => {
  const knowledge = createKnowledge();
  const surroundings = knowledge.surroundings(settings);
  for (let i = 0; i < 64; i += 1)
    knowledge.learnLabel({ location: 5, antenna: antennaOf(5), rssiDbm: -52 }, { orgId: 1, nowMs: startMs });
  expect(surroundings.signature(5, antennaOf(5))?.meanDbm).toBeCloseTo(-52, 5);
});

test('A deleted reader and a deleted location are forgotten', () => {
  const { knowledge, surroundings } = learnRow(5, 30);
  knowledge.forgetReader(4);
  expect(surroundings.level(antennaOf(4))).toBeUndefined();
  expect(surroundings.signature(4, antennaOf(4))).toBeUndefined();
  knowledge.forgetLocation(3, startMs);
  expect(surroundings.signature(3, antennaOf(3))).toBeUndefined();
});

test('One short gap among the first does not hide that an antenna reads rarely', () => {
  const knowledge = createKnowledge();
  const surroundings = knowledge.surroundings(settings);
  for (const seconds of [1, 60, 120, 60, 60]) {
    const level = { antenna: antennaOf(4), isOwn: false, rssiDbm: -57, visitDbm: -57, gapMs: seconds * 1000 };
    for (const judgment of play([readAt(4, 0)])) knowledge.learn({ ...judgment, level }, { orgId: 1, nowMs: startMs });
  }
  expect(surroundings.level(antennaOf(4))?.gapMs).toBe(60_000);
});

test("The rare reads of a location's own antenna count in a labeled visit", () => {
  const knowledge = createKnowledge();
  const observed = (location: number, reads: number, levelDbm: number) => ({
    ...{ antenna: antennaOf(location), location, reads, levelDbm, variance: 0, hasRssi: true },
    ...{ hasRead: true, opportunities: 200, strayChance: 0, isReported: true, lastMs: startMs },
  });
  const observations = [observed(4, 3, -57), observed(5, 200, -67), observed(6, 3, -69)];
  const pattern = { key: 'visit', fromMs: startMs, label: 4, observations };
  for (const judgment of play([readAt(4, 0)])) knowledge.learn({ ...judgment, pattern }, { orgId: 1, nowMs: startMs });
  const { signature } = knowledge.surroundings(settings);
  expect(signature(4, antennaOf(4))?.meanDbm).toBe(-57);
  expect(signature(4, antennaOf(6))).toBeUndefined();
});

test('An organization that learns without a pause leaves the others their learning, and learns again later', () => {
  const knowledge = createKnowledge();
  const { signature } = knowledge.surroundings(settings);
  const learn = (location: number, visit: number, learner: { orgId: number; nowMs: number }) => {
    const observation = {
      antenna: antennaOf(location),
      location,
      reads: 40,
      levelDbm: -57,
      variance: 0,
      hasRssi: true,
    };
    const rest = { hasRead: true, opportunities: 40, strayChance: 0, isReported: true, lastMs: startMs };
    const pattern = {
      key: `visit ${visit}`,
      fromMs: startMs,
      label: null,
      observations: [{ ...observation, ...rest }],
    };
    for (const judgment of play([readAt(location, 0)])) knowledge.learn({ ...judgment, pattern }, learner);
  };
  const busy = { orgId: 1, nowMs: startMs };
  for (let visit = 0; visit < 2000; visit += 1) learn(1, visit, busy);
  const before = signature(1, antennaOf(1))?.meanDbm;
  expect(before).toBeCloseTo(-57, 5);
  learn(2, 1, busy);
  expect(signature(2, antennaOf(2))).toBeUndefined();
  learn(3, 1, { orgId: 2, nowMs: startMs });
  expect(signature(3, antennaOf(3))?.meanDbm).toBeCloseTo(-57, 5);
  learn(2, 2, { orgId: 1, nowMs: startMs + 1000 });
  expect(signature(2, antennaOf(2))?.meanDbm).toBeCloseTo(-57, 5);
});

test('A reader that names any number of antennas does not make the levels grow without end', () => {
  const knowledge = createKnowledge();
  for (let port = 1; port <= 500; port += 1) {
    const level = { antenna: 65536 + port, isOwn: true, rssiDbm: -50, visitDbm: -50, gapMs: 1000 };
    const [judgment] = play([readAt(1, 0)]);
    if (judgment !== undefined) knowledge.learn({ ...judgment, level }, { orgId: 1, nowMs: startMs });
  }
  expect(knowledge.takeChanges().levels).toHaveLength(64);
});

test('Clocks are learned, restored and stable', () => {
  const knowledge = createKnowledge();
  expect(knowledge.clockOf(1).offsetMs).toBe(0);
  knowledge.setClock(1, createClock(5000));
  expect(knowledge.clockOf(1).offsetMs).toBe(5000);
  expect(knowledge.observeClock(1, { stampMs: startMs, receivedMs: startMs + 5000 })).toBe(false);
});

test('An explanation lists the antennas of the location first, then the strongest', () => {
  const reads = readsAt(1, [0, 20]).flatMap((read, i) =>
    i % 4 === 0 ? [read, readAt(3, i, -70), readAt(2, i, -66)] : [read],
  );
  const state = play(reads).at(-1)?.state as AssetState;
  const { evidence, confidence } = explain(state, surroundingsWith(), startMs + 30_000);
  expect(evidence.map(({ location }) => location)).toEqual([1, 2, 3]);
  expect(evidence[0]).toMatchObject({ antenna: antennaOf(1), tag: 1, rssiDbm: -57, reads: 21 });
  expect(confidence).toBeGreaterThan(0.9);
  expect(confidence).toBeLessThanOrEqual(1);
});

test('What was learned of a location before it was forgotten does not come back', () => {
  const { knowledge, surroundings, row } = learnRow(6, 30);
  const neighbor = surroundings.signature(5, antennaOf(5))?.meanDbm;
  const forgottenMs = row.nowMs();
  knowledge.forgetLocation(4, forgottenMs);
  // The visit under way began before; others teach again what is near.
  row.play(5, 60);
  row.play(3, 60);
  row.play(5, 60);
  expect(surroundings.signature(4, antennaOf(4))).toBeUndefined();
  expect(surroundings.signature(5, antennaOf(5))?.meanDbm).toBeCloseTo(neighbor ?? 0, 0);
});

test('What is learned after a location was forgotten counts', () => {
  const { knowledge, surroundings, row } = learnRow(7, 30);
  row.play(2, 60);
  knowledge.forgetLocation(4, row.nowMs());
  row.play(4, 60, 10);
  row.play(2, 60);
  expect(surroundings.signature(4, antennaOf(4))?.meanDbm).toBeCloseTo(-46, 0);
});

test('A calibration of 30 seconds teaches at its end, by all of its reads and by none before it', () => {
  const knowledge = createKnowledge();
  const surroundings = knowledge.surroundings(settings);
  const known = play(readsAt(1, [0, 40]), surroundings).at(-1)?.state;
  const scan = { location: 50, atMs: startMs + 60_000, labelUntilMs: startMs + 90_000 };
  let { state } = decideHandheld(known, scan, surroundings);
  for (let i = 0; i < 9; i += 1) {
    const judgment = decide(state, readAt(2, 62 + i * 3, i < 8 ? -50 : -59), surroundings);
    state = judgment.state;
    knowledge.learn(judgment, { orgId: 1, nowMs: startMs });
  }
  expect(surroundings.signature(50, antennaOf(2))?.meanDbm).toBeCloseTo(-51, 1);
  expect(surroundings.signature(50, antennaOf(1))).toBeUndefined();
});

test('A calibration of two reads teaches with the first read after it', () => {
  const knowledge = createKnowledge();
  const surroundings = knowledge.surroundings(settings);
  const scan = { location: 50, atMs: startMs, labelUntilMs: startMs + 30_000 };
  let { state } = decideHandheld(undefined, scan, surroundings);
  for (const seconds of [10, 20, 40]) {
    const judgment = decide(state, readAt(2, seconds, -50), surroundings);
    state = judgment.state;
    knowledge.learn(judgment, { orgId: 1, nowMs: startMs });
  }
  expect(surroundings.signature(50, antennaOf(2))?.meanDbm).toBeCloseTo(-50, 1);
});

test('Heartbeats report that there was nothing to read, up to the one before', () => {
  const knowledge = createKnowledge();
  const { reportedUntilMs } = knowledge.surroundings(settings);
  knowledge.reported(1, startMs);
  knowledge.heartbeat(1, startMs + 60_000);
  // After an outage, stored reads can follow the first message.
  expect(reportedUntilMs(antennaOf(1))).toBe(startMs);
  knowledge.heartbeat(1, startMs + 120_000);
  knowledge.heartbeat(1, startMs + 120_000);
  expect(reportedUntilMs(antennaOf(1))).toBe(startMs + 60_000);
});
