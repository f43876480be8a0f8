import { describe, expect, it } from 'vitest';
import { createLog } from '../../../../server/kernel/log.js';
import { removeForgottenScans } from '../../../../server/tracking/scans/forgotten-scans.js';
import { ingestReads } from '../../../../server/tracking/scans/ingest.js';
import { isPrivateAddress } from '../../../../server/tracking/scans/private-addresses.js';
import { createRowCap } from '../../../../server/tracking/scans/row-cap.js';
import { removeSurplusUnknownTags } from '../../../../server/tracking/scans/unknown-cap-queries.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

/** Unknown tags named by their counts and how many days ago they were last read. */
async function addUnknown(org: ScanOrganization, rows: readonly [value: string, count: number, days: number][]) {
  await world.db.unknownTag.createMany({
    data: rows.map(([value, count, days]) => {
      const at = new Date(Date.now() - days * 86_400_000);
      return { orgId: org.orgId, tagType: 'rfid', value, count: BigInt(count), firstSeen: at, lastSeen: at };
    }),
  });
}

async function valuesOf(org: ScanOrganization): Promise<string[]> {
  const rows = await world.db.unknownTag.findMany({ where: { orgId: org.orgId }, orderBy: { value: 'asc' } });
  return rows.map(({ value }) => value);
}

describe('private BLE addresses', () => {
  it.each([
    ['ble', '00:11:22:33:44:55', true],
    ['ble', '7F1122334455', true],
    ['ble', '3f-11-22-33-44-55', true],
    ['ble', 'C0:11:22:33:44:55', false],
    ['ble', 'AC233FA03208', false],
    ['ble', '801122334455', false],
    ['ble', '00112233445', false],
    ['ble', '0011223344zz', false],
    ['rfid', '001122334455', false],
  ])('%s %s: %j', (type, value, expected) => {
    expect(isPrivateAddress({ type, value })).toBe(expected);
  });

  it('are counted where they are attached, or where the reader is set so, and else shown as ignored', async () => {
    const org = await world.organization();
    const asset = await org.asset({ tags: [['ble', '4C:00:00:00:00:01']] });
    const deaf = await org.reader();
    const curious = await org.reader({ count_private_addresses: true });
    const values = ['4C0000000001', '4C0000000002', '4C0000000002', 'C40000000003'];
    for (const [reader, receivedAtMs] of [
      [deaf, Date.now()],
      [curious, Date.now() + 1],
    ] as const) {
      const reads = values.map((value) => ({
        tagType: 'ble' as const,
        value,
        antenna: 1,
        rssiDbm: null,
        observedAtMs: null,
      }));
      const outcome = await ingestReads(
        world.connections,
        [
          {
            message: { orgId: org.orgId, readerId: reader.id, topic: '', content: { kind: 'reads', reads } },
            receivedAtMs,
          },
        ],
        { retentionDays: 365, waitForTrees: true },
      );
      expect([...outcome.ignoredReads]).toEqual(reader === deaf ? [[deaf.id, 2]] : []);
    }
    const rows = await world.db.unknownTag.findMany({ where: { orgId: org.orgId }, orderBy: { id: 'asc' } });
    expect(rows.map(({ readerId, value, count }) => [readerId, value, Number(count)])).toEqual([
      [deaf.id, 'C40000000003', 1],
      [curious.id, '4C0000000002', 2],
      [curious.id, 'C40000000003', 1],
    ]);
    expect((await org.positions()).map(({ asset_id }) => asset_id)).toEqual([asset]);
  });
});

describe('the unknown tags of an organization', () => {
  it('above the cap lose the values read once first, then the values read longest ago', async () => {
    const [org, other] = [await world.organization(), await world.organization()];
    await addUnknown(org, [
      ['a', 1, 1],
      ['b', 1, 2],
      ['c', 5, 3],
      ['d', 5, 4],
      ...Array.from({ length: 7 }, (_, n): [string, number, number] => [`e${n}`, 9, 0]),
    ]);
    await addUnknown(other, [['a', 1, 30]]);
    expect(await removeSurplusUnknownTags(world.db, { orgId: org.orgId, rowsMax: 11 })).toBe(0);
    expect(await removeSurplusUnknownTags(world.db, { orgId: org.orgId, rowsMax: 10 })).toBe(2);
    expect((await valuesOf(org)).slice(0, 2)).toEqual(['c', 'd']);
    await removeSurplusUnknownTags(world.db, { orgId: org.orgId, rowsMax: 8 });
    expect(await valuesOf(org)).toEqual(Array.from({ length: 7 }, (_, n) => `e${n}`));
    expect(await valuesOf(other)).toEqual(['a']);
  });

  it('are checked again after a number of them were counted', async () => {
    const org = await world.organization();
    const cap = createRowCap({
      log: createLog('silent'),
      rows: 'unknown tags',
      lookEvery: 20,
      removeSurplus: (orgId) => removeSurplusUnknownTags(world.db, { orgId, rowsMax: 10 }),
    });
    await addUnknown(
      org,
      Array.from({ length: 30 }, (_, n): [string, number, number] => [`${n}`, 1, n]),
    );
    cap.counted(new Map([[org.orgId, 19]]));
    await cap.stop();
    expect(await valuesOf(org)).toHaveLength(30);
    cap.counted(new Map([[org.orgId, 1]]));
    await cap.stop();
    expect(await valuesOf(org)).toHaveLength(9);
  });

  it('are forgotten after a week if they were read once, else with the events', async () => {
    const org = await world.organization();
    await addUnknown(org, [
      ['once, long ago', 1, 8],
      ['once', 1, 6],
      ['twice, long ago', 2, 31],
      ['twice', 2, 29],
    ]);
    await removeForgottenScans(world.db, 30);
    expect(await valuesOf(org)).toEqual(['once', 'twice']);
  });
});
