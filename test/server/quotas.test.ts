import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { removeOldAlerts } from '../../server/notifying/alerts/queries.js';
import { readerQuota, removeDeletedReaders } from '../../server/tracking/readers/quota.js';
import { removeSurplusSubmissions } from '../../server/tracking/scans/forgotten-scans.js';
import { removeOldRejectedMessages } from '../../server/tracking/scans/rejected-messages.js';
import { insertSession, sessionsPerPersonMax } from '../../server/people/session/queries.js';
import { refusalOf } from '../support/caller.js';
import { fileWorld } from '../support/shared.js';
import { createScanWorld, type ScanOrganization } from '../support/scan-world.js';

const readersMax = 3;

const world = fileWorld(() => createScanWorld({ settings: { readersPerOrganization: readersMax } }));

/** Makes the calls at once; returns what was rejected, and fails unless exactly one was accepted. */
async function oneOf(calls: Promise<unknown>[]) {
  const settled = await Promise.allSettled(calls);
  const refused = calls.filter((_, index) => settled[index]?.status === 'rejected');
  expect(settled.length - refused.length).toBe(1);
  return Promise.all(refused.map(refusalOf));
}

const times = <Result>(count: number, call: () => Promise<Result>) => Array.from({ length: count }, call);

describe('the readers of an organization', () => {
  it('are limited, also when several are created at once, and deleted ones do not count', async () => {
    const [org, other] = [await world.organization(), await world.organization()];
    const readers = [await org.reader(), await org.reader()];
    const conflict = { type: 'conflict', detail: 'An organization can have 3 readers at most' };
    expect(await oneOf(times(4, () => org.reader()))).toEqual([conflict, conflict, conflict]);
    expect((await org.admin.readers.list()).total_count).toBe(readersMax);
    await other.reader();
    await org.admin.readers.delete({ id: readers[0]?.id ?? 0 });
    await org.reader();
    expect(await refusalOf(org.reader())).toEqual(conflict);
  });

  it('are limited with deleted ones; deleted readers are removed with the events that name them', async () => {
    const org = await world.organization();
    const { pastMax } = readerQuota(readersMax);
    await world.db.$executeRaw`
      INSERT INTO readers (org_id, name, format, mqtt_username, secret_hash, publish_topic, deleted_at, last_message_at)
      SELECT ${org.orgId}::int, 'Door', 'auto', n || '-' || ${randomUUID()}::text, '', 'topic',
             now() - make_interval(days => CASE n WHEN 1 THEN 100 WHEN 2 THEN 2 ELSE 0 END),
             CASE n WHEN 2 THEN NULL ELSE now() END
        FROM generate_series(1, ${pastMax}::int) AS n`;
    expect(await refusalOf(org.reader())).toMatchObject({
      type: 'conflict',
      detail: 'Too many readers of this organization were created and removed',
    });
    await removeDeletedReaders(world.db, 30);
    expect(await world.db.reader.count({ where: { orgId: org.orgId } })).toBe(pastMax - 2);
    await org.reader();
  });
});

it('500 imports can be begun in 24 hours, also when several are begun at once', async () => {
  const org = await world.organization();
  await world.db.$executeRaw`
    INSERT INTO imports (id, org_id, kind, status, file_name, columns, row_count, created_at)
    SELECT gen_random_uuid(), ${org.orgId}::int, 'assets', 'cancelled', 'things.csv', '{name}', 1,
           clock_timestamp() - CASE WHEN n = 1 THEN interval '25 hours' ELSE interval '23 hours' END
      FROM generate_series(1, 500) AS n`;
  const begin = (of: ScanOrganization) => () =>
    of.admin.imports.create({ kind: 'assets', file_name: 'things.csv', columns: ['name'], row_count: 1 });
  for (const refusal of await oneOf(times(3, begin(org)))) {
    expect(refusal).toMatchObject({
      type: 'rate_limited',
      detail: expect.stringMatching(/^An organization can begin 500 imports in 24 hours; retry after \d+ seconds$/),
    });
    expect(refusal.retryAfterSeconds).toBeGreaterThan(3500);
    expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(3600);
  }
  expect(await begin(await world.organization())()).toMatchObject({ import: { status: 'uploading' } });
});

it('an organization has 1000 API keys in use at most', async () => {
  const org = await world.organization();
  await world.db.$executeRaw`
    INSERT INTO api_keys (id, org_id, name, scopes, revoked_at, expires_at)
    SELECT gen_random_uuid(), ${org.orgId}::int, 'key', '{}', CASE WHEN n = 1 THEN now() END, CASE WHEN n = 2 THEN now() END
      FROM generate_series(1, 1001) AS n`;
  const create = () => org.admin.apiKeys.create({ name: 'One more', scopes: ['assets:read'], expires_at: null });
  const conflict = { type: 'conflict', detail: 'An organization can have 1000 API keys at most' };
  expect(await oneOf(times(3, create))).toEqual([conflict, conflict]);
});

it('API keys are limited with revoked ones', async () => {
  const org = await world.organization();
  await world.db.$executeRaw`
    INSERT INTO api_keys (id, org_id, name, scopes, revoked_at, expires_at)
    SELECT gen_random_uuid(), ${org.orgId}::int, 'key', '{}', CASE WHEN n > 1 THEN now() END, CASE WHEN n = 1 THEN now() END
      FROM generate_series(1, 9999) AS n`;
  const create = () => org.admin.apiKeys.create({ name: 'One more', scopes: ['assets:read'], expires_at: null });
  const { id } = await create();
  await org.admin.apiKeys.revoke({ id });
  const detail = 'Too many API keys of this organization were created and removed';
  expect(await refusalOf(create())).toMatchObject({ type: 'conflict', detail });
});

it('an organization has 1000 open invitations at most', async () => {
  const org = await world.organization();
  await world.db.$executeRaw`
    INSERT INTO invitations (org_id, token_hash, role, created_at, expires_at)
    SELECT ${org.orgId}::int, ${randomUUID()}::text || n, 'viewer', now(), now() + interval '1 day' * (n - 1)
      FROM generate_series(1, 1000) AS n`;
  const conflict = { type: 'conflict', detail: 'An organization can have 1000 open invitations at most' };
  expect(await oneOf(times(3, () => org.admin.members.invite({ role: 'viewer' })))).toEqual([conflict, conflict]);
});

it.each([
  {
    noun: 'alert rules',
    max: 100,
    detail: 'An organization can have 100 rules at most',
    create: ({ admin }: ScanOrganization) =>
      admin.alertRules.create({ name: 'Moves', event_type: 'asset.location_changed' }),
  },
  {
    noun: 'webhook endpoints',
    max: 10,
    detail: 'An organization can have 10 endpoints at most',
    create: ({ admin }: ScanOrganization) => admin.webhooks.create({ name: 'ERP', url: 'https://example.com/hook' }),
  },
  {
    noun: 'shared views',
    max: 100,
    detail: 'An organization can share 100 views at most',
    create: ({ admin }: ScanOrganization) =>
      admin.savedViews.create({ name: randomUUID(), query: '', columns: [], is_shared: true }),
  },
])('an organization has $max $noun at most', async ({ max, detail, create }) => {
  const org = await world.organization();
  for (let count = 1; count < max; count += 1) await create(org);
  const conflict = { type: 'conflict', detail };
  expect(await oneOf(times<unknown>(3, () => create(org)))).toEqual([conflict, conflict]);
  await create(await world.organization());
});

it('a reader has settings of 256 antennas at most', async () => {
  const org = await world.organization();
  const antennas = Array.from({ length: 257 }, (_, index) => ({ port: index + 1 }));
  expect(await refusalOf(org.reader({ antennas }))).toMatchObject({ type: 'validation_error' });
  await org.reader({ antennas: antennas.slice(1) });
});

it('alerts are kept for 90 days, and 50,000 of an organization', async () => {
  const [org, other] = [await world.organization(), await world.organization()];
  const count = ({ orgId }: ScanOrganization) => world.db.alert.count({ where: { orgId } });
  for (const [{ orgId, admin }, alerts, oldestDays] of [[org, 50_002, 0] as const, [other, 3, 91] as const]) {
    const { id } = await admin.alertRules.create({ name: 'Moves', event_type: 'asset.location_changed' });
    await world.db.$executeRaw`
      INSERT INTO alerts (org_id, rule_id, rule_name, event_key, event_type, subject, data, in_app, is_condition, opened_at)
      SELECT ${orgId}::int, ${id}::int, 'Moves', gen_random_uuid(), 'asset.location_changed', 'asset:1', '{}', true, false,
             now() - make_interval(days => CASE n WHEN 1 THEN ${oldestDays}::int ELSE 0 END)
        FROM generate_series(1, ${alerts}::int) AS n`;
  }
  await removeOldAlerts(world.db);
  expect([await count(org), await count(other)]).toEqual([50_000, 2]);
});

it('the oldest submissions of an organization go when there are too many', async () => {
  const [org, other] = [await world.organization(), await world.organization()];
  for (const [{ orgId }, count] of [[org, 11] as const, [other, 3] as const]) {
    await world.db.$executeRaw`
      INSERT INTO scan_submissions (org_id, submission_id, results, created_at)
      SELECT ${orgId}::int, n::text, '[]', now() - make_interval(days => n) FROM generate_series(1, ${count}::int) AS n`;
  }
  const idsOf = async ({ orgId }: ScanOrganization) =>
    (await world.db.scanSubmission.findMany({ where: { orgId } })).map(({ submissionId }) => Number(submissionId));
  await removeSurplusSubmissions(world.db, { orgId: org.orgId, rowsMax: 11 });
  expect(await idsOf(org)).toHaveLength(11);
  await removeSurplusSubmissions(world.db, { orgId: org.orgId, rowsMax: 10 });
  expect((await idsOf(org)).toSorted((one, two) => one - two)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await idsOf(other)).toHaveLength(3);
});

it('the newest rejected messages of an organization are kept, by number and by size', async () => {
  const [org, other] = [await world.organization(), await world.organization()];
  const readerId = (await org.reader()).id;
  const otherReaderId = (await other.reader()).id;
  const sizes = [10, 10, 50, 10, 10];
  for (const [orgId, reader] of [[org.orgId, readerId] as const, [other.orgId, otherReaderId] as const]) {
    for (const size of orgId === org.orgId ? sizes : [10]) {
      const row = { topic: 't', reason: 'r', payload: Buffer.alloc(size), receivedAt: new Date() };
      await world.db.rejectedMessage.create({ data: { orgId, readerId: reader, ...row } });
    }
  }
  const sizesOf = async ({ orgId }: ScanOrganization) => {
    const rows = await world.db.rejectedMessage.findMany({ where: { orgId }, orderBy: { id: 'asc' } });
    return rows.map(({ payload }) => payload.length);
  };
  await removeOldRejectedMessages(world.db, { messages: 4, payloadBytes: 1000 });
  expect(await sizesOf(org)).toEqual([10, 50, 10, 10]);
  await removeOldRejectedMessages(world.db, { messages: 4, payloadBytes: 60 });
  expect(await sizesOf(org)).toEqual([10, 10]);
  expect(await sizesOf(other)).toEqual([10]);
});

it('a sign-in beyond the limit ends the oldest session of the person', async () => {
  const org = await world.organization();
  const data = { email: `${randomUUID()}@example.com`, name: 'Ann', passwordHash: 'none' };
  const { id: userId } = await world.db.user.create({ data });
  const open = () => insertSession(world.db, { userId, orgId: org.orgId, deviceId: undefined });
  const first = await open();
  const second = await open();
  // Sessions that are opened one after the other can have the same millisecond.
  for (const [id, agoMs] of [
    [first, 2000],
    [second, 1000],
  ] as const) {
    await world.db.session.update({ where: { id }, data: { createdAt: new Date(Date.now() - agoMs) } });
  }
  for (let count = 2; count < sessionsPerPersonMax; count += 1) await open();
  const idsOf = async () => (await world.db.session.findMany({ where: { userId } })).map(({ id }) => id);
  expect(await idsOf()).toContain(first);
  await open();
  const left = await idsOf();
  expect(left).toHaveLength(sessionsPerPersonMax);
  expect(left).not.toContain(first);
  expect(left).toContain(second);
});
