import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../support/caller.js';
import { untilWellWithin } from '../../../support/clock.js';
import { createRandom } from '../../../support/random.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A day that began eight hours ago, at a whole minute. */
function dayStart(): Date {
  const at = Date.now() - 8 * hourMs;
  return new Date(at - (at % minuteMs));
}

async function summaryOf(org: ScanOrganization, unseen_days?: number) {
  const viewer = await org.as('viewer');
  return viewer.home.summary({
    day_start: dayStart().toISOString(),
    ...(unseen_days !== undefined && { unseen_days }),
  });
}

type Sighting = { seenAgoMs: number; movedAgoMs: number };

async function place(org: ScanOrganization, assetId: number, { seenAgoMs, movedAgoMs }: Sighting): Promise<void> {
  await world.db.assetPosition.create({
    data: {
      orgId: org.orgId,
      assetId,
      assetLastSeen: new Date(Date.now() - seenAgoMs),
      locatedSince: new Date(Date.now() - movedAgoMs),
    },
  });
}

describe('home.summary', () => {
  it('of an empty organization is all zeros, with a slot for each ten minutes of a day', async () => {
    const org = await world.organization();
    const begunMs = Date.now();
    const { reads, ...summary } = await summaryOf(org);
    expect(summary).toEqual({
      assets: {
        total: 0,
        seen: 0,
        seen_24h: 0,
        seen_day_before: 0,
        moved_today: 0,
        unseen_for_days: 0,
        unseen_days: 7,
      },
      readers: { total: 0, silent: 0, never: 0, refused: 0, most_silent: [] },
      unknown_tags: { count: 0, is_more: false, newest: null },
      rejected_messages: { count: 0, is_more: false },
      problem_assets: { count: 0, is_more: false },
      away_assets: { count: 0, is_more: false },
    });
    expect(reads.slot_minutes).toBe(10);
    expect(reads.slots).toHaveLength(144);
    const times = reads.slots.map(({ at }) => Date.parse(at));
    expect(times.every((time, n) => n === 0 || time - (times[n - 1] ?? 0) === 10 * minuteMs)).toBe(true);
    expect(times.at(-1)).toBeGreaterThan(begunMs - 10 * minuteMs);
    expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
  });

  it('counts assets as a plain model does', async () => {
    const org = await world.organization();
    const random = createRandom(7);
    const below = (bound: number) => Math.floor(random() * bound);
    const ages = [minuteMs, 2 * hourMs, 7 * hourMs, 9 * hourMs, 30 * hourMs, 6.9 * dayMs, 7.1 * dayMs, 60 * dayMs];
    const agoMs = () => ages[below(ages.length)] ?? 0;
    const none = { seen: 0, seen_24h: 0, seen_day_before: 0, moved_today: 0, unseen_for_days: 0 };
    const expected = { total: 0, ...none, unseen_days: 7 };
    for (let count = 0; count < 150; count += 1) {
      const assetId = await org.asset({ isActive: below(4) > 0 });
      const sighting = below(5) === 0 ? undefined : { seenAgoMs: agoMs(), movedAgoMs: 0 };
      if (sighting) {
        sighting.movedAgoMs = Math.max(sighting.seenAgoMs, agoMs());
        await place(org, assetId, sighting);
      }
      const fate = below(8);
      if (fate === 0) await org.deleteAsset(assetId);
      const window = [{}, { validTo: new Date(Date.now() - hourMs) }, { validFrom: new Date(Date.now() + dayMs) }][
        fate
      ];
      if (fate > 0 && window) await world.db.asset.update({ where: { id: assetId }, data: window });
      if (fate < 3) continue;
      expected.total += 1;
      if (!sighting) expected.unseen_for_days += 1;
      if (!sighting) continue;
      expected.seen += 1;
      if (sighting.seenAgoMs < dayMs) expected.seen_24h += 1;
      else if (sighting.seenAgoMs < 2 * dayMs) expected.seen_day_before += 1;
      if (sighting.movedAgoMs < 8 * hourMs) expected.moved_today += 1;
      if (sighting.seenAgoMs > 7 * dayMs) expected.unseen_for_days += 1;
    }
    expect((await summaryOf(org)).assets).toEqual(expected);
    expect(expected.moved_today).toBeGreaterThan(5);
    expect(expected.unseen_for_days).toBeGreaterThan(5);
  });

  it('uses the requested number of days', async () => {
    const org = await world.organization();
    await place(org, await org.asset(), { seenAgoMs: 3 * dayMs, movedAgoMs: 3 * dayMs });
    expect((await summaryOf(org, 2)).assets).toMatchObject({ unseen_for_days: 1, unseen_days: 2 });
    expect((await summaryOf(org, 4)).assets).toMatchObject({ unseen_for_days: 0, unseen_days: 4 });
  });

  it('replaces a day that began years ago, or has not begun, by one near now', async () => {
    const org = await world.organization();
    await place(org, await org.asset(), { seenAgoMs: 0, movedAgoMs: 47 * hourMs });
    await place(org, await org.asset(), { seenAgoMs: 0, movedAgoMs: 49 * hourMs });
    const viewer = await org.as('viewer');
    const movedSince = async (day_start: string) => (await viewer.home.summary({ day_start })).assets.moved_today;
    expect(await movedSince('1999-01-01T00:00:00Z')).toBe(1);
    expect(await movedSince('2999-01-01T00:00:00Z')).toBe(0);
  });

  it('counts readers by the status that the page of readers shows, those silent for longest first', async () => {
    const org = await world.organization();
    const createReader = async (name: string, agoMs: number | undefined) => {
      const { id } = await org.reader({ name });
      if (agoMs === undefined) return id;
      await world.db.reader.update({ where: { id }, data: { lastMessageAt: new Date(Date.now() - agoMs) } });
      return id;
    };
    await createReader('lively', minuteMs);
    await createReader('a while', hourMs);
    const long = await createReader('long', dayMs);
    await createReader('never', undefined);
    await org.admin.readers.delete({ id: await createReader('gone', dayMs) });
    const { readers } = await org.admin.home.summary({ day_start: dayStart().toISOString() });
    expect(readers).toMatchObject({ total: 4, silent: 2, never: 1, refused: 0 });
    expect(readers.most_silent.map(({ name }) => name)).toEqual(['long', 'a while']);
    expect(readers.most_silent[0]?.id).toBe(long);
    const { counts } = await org.admin.readers.overview();
    expect(readers).toMatchObject({ silent: counts.silent, never: counts.never, refused: counts.refused });
  });

  it('counts unknown values once wherever they were read, and returns the one read last', async () => {
    const org = await world.organization();
    const seen = (value: string, antenna: number, agoMs: number) =>
      world.db.unknownTag.create({
        data: {
          orgId: org.orgId,
          tagType: 'rfid',
          value,
          antenna,
          count: 3,
          firstSeen: new Date(0),
          lastSeen: new Date(Date.now() - agoMs),
        },
      });
    await seen('AA', 1, 5000);
    await seen('AA', 2, 6000);
    await seen('BB', 1, 1000);
    const { unknown_tags: unknown } = await summaryOf(org);
    expect(unknown).toMatchObject({ count: 2, is_more: false, newest: { value: 'BB', tag_type: 'rfid' } });
    await world.db.$executeRaw`
      INSERT INTO unknown_tags (org_id, value, count, first_seen, last_seen)
      SELECT ${org.orgId}, n::text, 1, now(), now() FROM generate_series(1, 10000) AS n`;
    expect((await summaryOf(org)).unknown_tags).toMatchObject({ count: 10_000, is_more: true });
  });

  it('counts the messages of a day that could not be parsed, and sums up reads by their slots', async () => {
    const org = await world.organization();
    const { id: readerId } = await org.reader();
    for (const agoMs of [minuteMs, 23 * hourMs, 25 * hourMs]) {
      const receivedAt = new Date(Date.now() - agoMs);
      await world.db.rejectedMessage.create({
        data: { orgId: org.orgId, readerId, topic: 't', reason: 'r', payload: Buffer.from(''), receivedAt },
      });
    }
    await untilWellWithin(10 * minuteMs);
    const before = await summaryOf(org);
    expect(before.rejected_messages).toEqual({ count: 2, is_more: false });
    const [first, last] = [before.reads.slots[0]?.at, before.reads.slots.at(-1)?.at];
    await world.db.$executeRaw`
      INSERT INTO read_counts (org_id, slot, reads)
      VALUES (${org.orgId}, ${first}::timestamptz, 5), (${org.orgId}, ${last}::timestamptz, 7),
             (${org.orgId}, ${first}::timestamptz - interval '10 minutes', 100)`;
    const { slots } = (await summaryOf(org)).reads;
    expect(slots[0]?.reads).toBe(5);
    expect(slots.at(-1)?.reads).toBe(7);
    expect(slots.reduce((sum, { reads }) => sum + reads, 0)).toBe(12);
  });

  it("shows nothing of another organization's", async () => {
    const [org, other] = [await world.organization(), await world.organization()];
    await place(other, await other.asset(), { seenAgoMs: 0, movedAgoMs: 0 });
    await other.reader();
    const { assets, readers } = await summaryOf(org);
    expect(assets).toMatchObject({ total: 0, seen: 0, moved_today: 0 });
    expect(readers.total).toBe(0);
  });

  it('is rejected for API keys, for invalid instants and for invalid numbers of days', async () => {
    const org = await world.organization();
    const viewer = await org.as('viewer');
    const refused = async (bad: object) =>
      (await refusalOf(viewer.home.summary({ day_start: dayStart().toISOString(), ...bad }))).fields;
    expect(await refused({ day_start: 'today' })).toMatchObject([{ field: 'day_start' }]);
    expect(await refused({ unseen_days: 0 })).toMatchObject([{ field: 'unseen_days', code: 'too_small' }]);
    expect(await refused({ unseen_days: 366 })).toMatchObject([{ field: 'unseen_days', code: 'too_large' }]);
  });
});
