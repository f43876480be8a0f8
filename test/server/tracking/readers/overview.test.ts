import { describe, expect, it } from 'vitest';
import { createPlanReader, rowsBy } from '../../../support/plans.js';
import { refusalOf } from '../../../support/caller.js';
import { fileWorld } from '../../../support/shared.js';
import { createScanWorld, type ScanOrganization } from '../../../support/scan-world.js';

const world = fileWorld(createScanWorld);

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

type Marks = { lastMessageAt?: Date; lastConnectedAt?: Date; lastRefusedAt?: Date; lastRefusalReason?: string };

async function reader(org: ScanOrganization, name: string, marks: Marks = {}) {
  const created = await org.reader({ name });
  await world.db.reader.update({ where: { id: created.id }, data: marks });
  return created;
}

async function minute(org: ScanOrganization, readerId: number, [ago, reads, rejected]: [number, number, number]) {
  const begin = new Date(Math.floor(Date.now() / 60_000 - ago) * 60_000);
  await world.db.readerMinute.create({
    data: { orgId: org.orgId, readerId, minute: begin, messages: reads + rejected, reads, rejected },
  });
}

describe('readers.overview', () => {
  it('returns the status of each reader', async () => {
    const org = await world.organization();
    const cases: [name: string, status: string, marks: Marks][] = [
      ['a', 'never', {}],
      ['b', 'connected', { lastConnectedAt: secondsAgo(20) }],
      ['c', 'silent', { lastConnectedAt: secondsAgo(300) }],
      // Its messages have no reads.
      ['d', 'connected', { lastMessageAt: secondsAgo(60), lastRefusedAt: secondsAgo(3) }],
      ['e', 'silent', { lastMessageAt: secondsAgo(130), lastConnectedAt: secondsAgo(2) }],
      ['f', 'refused', { lastRefusedAt: secondsAgo(5000) }],
      ['g', 'refused', { lastMessageAt: secondsAgo(500), lastRefusedAt: secondsAgo(400) }],
      ['h', 'silent', { lastMessageAt: secondsAgo(400), lastRefusedAt: secondsAgo(500) }],
      // One device is in, another one with a wrong password is not.
      ['i', 'connected', { lastConnectedAt: secondsAgo(25), lastRefusedAt: secondsAgo(1) }],
    ];
    for (const [name, , marks] of cases) await reader(org, name, marks);
    const { data, counts, total_count: total } = await org.admin.readers.overview();
    expect(data.map(({ name, status }) => [name, status])).toEqual(cases.map(([name, status]) => [name, status]));
    expect(total).toBe(9);
    expect(counts).toEqual({ never: 1, connected: 3, silent: 3, receiving: 0, refused: 2, rejecting: 0 });
  });

  it('reports a reader whose messages cannot be parsed, and how much is read', async () => {
    const org = await world.organization();
    const lost = await reader(org, 'lost', { lastMessageAt: secondsAgo(1) });
    const busy = await reader(org, 'busy', { lastMessageAt: secondsAgo(1) });
    await minute(org, lost.id, [1, 0, 4]);
    await minute(org, lost.id, [1000, 0, 7]);
    await minute(org, lost.id, [1500, 0, 100]);
    await minute(org, busy.id, [0, 500, 0]);
    await minute(org, busy.id, [4, 500, 1]);
    await minute(org, busy.id, [59, 9, 0]);
    await minute(org, busy.id, [60, 1_000_000, 0]);
    const { data } = await org.admin.readers.overview();
    const [first, second] = data;
    expect(first).toMatchObject({ name: 'busy', status: 'receiving', rejected_24h: 1 });
    expect(first?.reads_by_minute).toHaveLength(60);
    // The test may run over the end of a minute.
    expect(first?.reads_by_minute.filter((reads) => reads > 0).slice(-2)).toEqual([500, 500]);
    expect(first?.reads_per_minute).toBeGreaterThanOrEqual(100);
    expect(first?.reads_per_minute).toBeLessThanOrEqual(250);
    expect(second).toMatchObject({ name: 'lost', status: 'rejecting', rejected_24h: 11, reads_per_minute: 0 });
  });

  it('finds by name and status, and pages', async () => {
    const org = await world.organization();
    for (const name of ['Dock 1', 'Dock 2', 'Gate 100%']) await reader(org, name);
    const dock = await reader(org, 'Dock 3', { lastMessageAt: secondsAgo(1) });
    await minute(org, dock.id, [0, 1, 0]);
    const names = async (input: Parameters<typeof org.admin.readers.overview>[0]) =>
      (await org.admin.readers.overview(input)).data.map(({ name }) => name);
    expect(await names({ q: 'dOCK' })).toEqual(['Dock 1', 'Dock 2', 'Dock 3']);
    expect(await names({ q: '0%' })).toEqual(['Gate 100%']);
    expect(await names({ status: 'receiving' })).toEqual(['Dock 3']);
    expect(await names({ limit: 2, offset: 1 })).toEqual(['Dock 2', 'Dock 3']);
    const beyond = await org.admin.readers.overview({ offset: 50, q: 'Dock' });
    expect(beyond).toMatchObject({ data: [], total_count: 3, counts: { never: 2, receiving: 1 } });
  });

  it('is for everybody, without what concerns logins; of other organizations nothing is seen', async () => {
    const org = await world.organization();
    const other = await world.organization();
    const { id } = await reader(org, 'a', { lastRefusedAt: secondsAgo(1), lastRefusalReason: 'wrong password' });
    const viewer = await org.as('viewer');
    expect((await viewer.readers.overview()).data).toMatchObject([{ status: 'refused', last_refusal_reason: null }]);
    expect((await org.admin.readers.overview()).data).toMatchObject([{ last_refusal_reason: 'wrong password' }]);
    expect((await other.admin.readers.overview()).data).toEqual([]);
    const manager = await org.as('manager');
    expect(await refusalOf(manager.readers.get({ id }))).toMatchObject({ type: 'forbidden' });
    expect(await refusalOf(manager.scans.rejectedMessages({ reader_id: id }))).toMatchObject({ type: 'forbidden' });
    expect(await refusalOf(other.admin.readers.get({ id }))).toMatchObject({ type: 'not_found' });
    expect((await other.admin.scans.rejectedMessages({ reader_id: id })).total_count).toBe(0);
  });

  it('looks up counters by their key, for each reader the counters of the hour', async () => {
    const org = await world.organization();
    await world.db.$executeRaw`
      INSERT INTO readers (org_id, name, format, mqtt_username, secret_hash, publish_topic)
      SELECT ${org.orgId}::int, 'R' || n, 'auto', 'plan' || n, md5(n::text), 'readers/plan' || n || '/reads'
        FROM generate_series(1, 60) n`;
    await world.db.$executeRaw`
      INSERT INTO reader_minutes (org_id, reader_id, minute, messages, reads, rejected)
      SELECT r.org_id, r.id, date_trunc('minute', now()) - make_interval(mins => m), 1, 1, (m % 50 = 0)::int
        FROM readers r, generate_series(0, 2879) m
       WHERE r.org_id = ${org.orgId}`;
    await world.db.$executeRawUnsafe('VACUUM ANALYZE reader_minutes, readers');
    await using plans = await createPlanReader(world.databaseUrl);
    const nodes = await plans.nodesOf(async () => {
      expect((await org.admin.readers.overview({ limit: 50 })).data).toHaveLength(50);
    });
    expect(nodes.filter(({ relation, kind }) => relation === 'reader_minutes' && kind === 'Seq Scan')).toEqual([]);
    expect(rowsBy(nodes, 'reader_minutes_pkey')).toBeLessThanOrEqual(50 * 61);
    expect(rowsBy(nodes, 'reader_minutes_rejected')).toBeLessThanOrEqual(50 * 30);
  });
});

describe('one reader', () => {
  it('has its settings, the names of its locations and its last hour', async () => {
    const org = await world.organization();
    const [dock, shelf] = [await org.location(), await org.location()];
    const antennas = [{ port: 1, location_id: shelf }];
    const created = await org.reader({ name: 'Door', location_id: dock, antennas });
    await minute(org, created.id, [0, 5, 2]);
    const detail = await org.admin.readers.get({ id: created.id });
    const { mqtt_password: _, ...settings } = created;
    expect(detail).toMatchObject({ ...settings, status: 'never', rejected_24h: 2 });
    expect(new Set(detail.locations.map(({ id }) => id))).toEqual(new Set([dock, shelf]));
    for (const [key, count] of [
      ['reads_by_minute', 5],
      ['rejected_by_minute', 2],
    ] as const) {
      expect(detail[key]).toHaveLength(60);
      expect(detail[key].slice(-2)).toContain(count);
    }
  });
});
