import { expect, test } from 'vitest';
import { antennaKey, createKnowledge } from '../../server/locating/index.js';
import { createOwnTags } from '../../server/locating/own-tags.js';

const location = 5;

function knowledgeOfOwnTag() {
  const knowledge = createKnowledge();
  const { site, signature, locationsOf } = knowledge.surroundings(() => undefined);
  const read = (reader: number, port = 1) =>
    knowledge.learnLabel(
      { location, antenna: antennaKey(reader, port), rssiDbm: -60 },
      { orgId: 1, nowMs: Date.now() },
    );
  return { knowledge, read, site, signature, locationsOf };
}

test('A location is learned by 32 antennas that read its own tag, however many there are', () => {
  const ownTags = createOwnTags();
  const counted = Array.from({ length: 1000 }, (_, port) =>
    ownTags.count({ location, antenna: antennaKey(7, port), rssiDbm: -60 }),
  );
  expect(counted.filter(Boolean)).toHaveLength(32);
  expect(ownTags.patternOf(location)?.observations).toHaveLength(32);
  // The known ones are still counted.
  expect(ownTags.count({ location, antenna: antennaKey(7, 1), rssiDbm: -60 })).toBe(true);
});

test('A deleted reader does not come back with the next read of the own tag by another one', () => {
  const { knowledge, read, site, signature, locationsOf } = knowledgeOfOwnTag();
  for (let again = 0; again < 64; again += 1) for (const reader of [7, 8]) read(reader);
  expect(site?.(location)?.antennas).toEqual([antennaKey(7, 1), antennaKey(8, 1)]);
  knowledge.forgetReader(7);
  expect(site?.(location)?.antennas).toEqual([antennaKey(8, 1)]);
  for (let again = 0; again < 2000; again += 1) read(8);
  expect(signature(location, antennaKey(7, 1))).toBeUndefined();
  expect(locationsOf?.(antennaKey(7, 1))).toEqual([]);
  expect(signature(location, antennaKey(8, 1))?.meanDbm).toBe(-60);
});

test('What was learned is the same after its readers were forgotten and it was restored', () => {
  const { knowledge, read, site, locationsOf } = knowledgeOfOwnTag();
  for (let again = 0; again < 64; again += 1) for (const reader of [7, 8]) read(reader);
  const rows = knowledge.takeChanges();
  for (const reader of [7, 8]) knowledge.forgetReader(reader);
  expect(site?.(location)).toBeUndefined();
  knowledge.restore(rows);
  expect(site?.(location)?.antennas).toEqual([antennaKey(7, 1), antennaKey(8, 1)]);
  expect(locationsOf?.(antennaKey(7, 1))).toEqual([location]);
});
