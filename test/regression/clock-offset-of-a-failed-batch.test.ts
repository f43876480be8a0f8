import { afterAll, expect, it } from 'vitest';
import type { Database } from '../../server/kernel/database/client.js';
import { ingestReads } from '../../server/tracking/scans/ingest.js';
import { createLocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { sharedScanWorld } from '../support/scan-world.js';

const world = await sharedScanWorld();

const locating = createLocatingKnowledge(world);
afterAll(() => locating.stop());

const secondMs = 1000;

/** Connections on which the last statement of a transaction fails. */
const failing = (connections: Database): Pick<Database, '$transaction'> => ({
  $transaction: (work) =>
    connections.$transaction((runner) => work({ ...runner, runLast: () => Promise.reject(new Error('lost')) })),
});

it('is adopted when the batch is stored by its second attempt', async () => {
  const org = await world.organization();
  const reader = await org.reader();
  await org.asset({ tags: [['rfid', 'A1']] });
  await locating.prepare([org.orgId]);
  const startMs = Date.now() - 3_600_000;
  const behindMs = 100 * secondMs;
  const store = (connections: Pick<Database, '$transaction'>, second: number) => {
    const receivedAtMs = startMs + second * secondMs;
    const read = { tagType: 'rfid' as const, value: 'A1', antenna: 1, rssiDbm: -50 };
    const content = { kind: 'reads' as const, reads: [{ ...read, observedAtMs: receivedAtMs - behindMs }] };
    const message = { orgId: org.orgId, readerId: reader.id, topic: 't', content };
    const options = { retentionDays: 365, waitForTrees: true, knowledge: locating };
    return ingestReads(connections, [{ message, receivedAtMs }], options);
  };
  for (const second of [0, 12, 24, 36, 48]) await store(world.connections, second);
  await expect(store(failing(world.connections), 60)).rejects.toThrow('lost');
  await store(world.connections, 60);
  const { clockOffsetMs } = await world.db.reader.findUniqueOrThrow({ where: { id: reader.id } });
  expect(Number(clockOffsetMs)).toBe(behindMs);
});
