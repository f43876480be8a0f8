import pg from 'pg';
import { expect, test } from 'vitest';
import { readTables } from '../../server/operations/backup/catalog.js';
import { claimIdRanges } from '../../server/operations/moves/cell-number.js';
import { cancelMove, removeMovedOrganization } from '../../server/operations/moves/end-move.js';
import { moveOrganization, type MoveOptions } from '../../server/operations/moves/move-organization.js';
import { OrganizationMovingError } from '../../server/kernel/database/moving.js';
import { movedTables } from '../../server/operations/moves/tables.js';
import { type AlertingWorld, createAlertingWorld } from '../support/alerting-world.js';
import { createAsset, createLocation } from '../support/factories.js';
import { createTestDatabase, query } from '../support/postgres.js';

type Reader = { id: number };

/** The cell of the world, and an empty one besides. */
async function createCells() {
  const world = await createAlertingWorld();
  const target = await createTestDatabase();
  const targetUrl = target.url;
  await claimIdRanges({ url: targetUrl, cellNumber: 1 });
  const cells = { orgId: world.org.orgId, sourceUrl: world.databaseUrl, targetUrl };
  return {
    world,
    targetUrl,
    cells,
    move: (options: Partial<MoveOptions> = {}) =>
      moveOrganization({ ...cells, report: () => {}, direct: () => Promise.resolve(), noticedWithinMs: 0, ...options }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}

/** The rows of an organization as text, by table. */
async function contentOf(url: string, orgId: number): Promise<Record<string, unknown[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const content: Record<string, unknown[]> = {};
  for (const { name } of await readTables(client)) {
    const rule = movedTables[name];
    if (!rule) continue;
    const where = rule.rowsOf?.(orgId) ?? `org_id = ${orgId}`;
    const { rows } = await client.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) AS row FROM ${name} t WHERE ${where} ORDER BY t::text`,
    );
    content[name] = rows.map(({ row }) => row);
  }
  await client.end();
  return content;
}

/** Gives an organization something of most kinds, and returns a reader and the value of a tag. */
async function createRows({ org, admin, endpoint, interested, core }: AlertingWorld) {
  await endpoint({ url: 'http://127.0.0.1:9/', event_types: ['asset.location_changed'] });
  await interested('asset.location_changed');
  const tag = 'E28011900000000000000001';
  const hall = await createLocation(org, { name: 'Hall “1” \\N' });
  await createAsset(org, { metadata: { size: 'Größe\t9\\' }, tags: [{ tag_type: 'rfid', value: tag }] });
  const reader = await admin.readers.create({
    ...{ name: 'Gate', format: 'native', location_rule: 'newest', resolution_seconds: 0, location_id: hall.id },
    antennas: [{ port: 1, location_id: hall.id }],
  });
  for (let number = 0; number < 40; number += 1) {
    await core.ingestion.ingest(readOf(org, reader, { tag, agoMs: (100 - number) * 86_400_000 * 0.2 }));
  }
  await core.ingestion.ingest(readOf(org, reader, { tag: 'NOBODY', agoMs: 1000 }));
  return { reader, tag };
}

function readOf(org: { orgId: number }, reader: Reader, { tag, agoMs }: { tag: string; agoMs: number }) {
  const read = { tagType: 'rfid', value: tag, antenna: 1, rssiDbm: -50, observedAtMs: Date.now() - agoMs } as const;
  return {
    orgId: org.orgId,
    readerId: reader.id,
    topic: 't',
    content: { kind: 'reads' as const, reads: [read] },
  };
}

test('all rows of an organization arrive with their ids, and other organizations stay as they are', async () => {
  await using cells = await createCells();
  const { world, targetUrl, cells: ends } = cells;
  const { orgId } = world.org;
  await createRows(world);
  // Counts of reads are stored some seconds after them.
  await expect
    .poll(() => query(world.databaseUrl, `SELECT sum(reads)::int AS reads FROM reader_minutes WHERE org_id = ${orgId}`))
    .toEqual([{ reads: 41 }]);
  const neighbor = await world.organization('North');
  await createAsset(neighbor);
  const neighborBefore = await contentOf(world.databaseUrl, neighbor.orgId);
  // It waits for a mail server, which this world does not have.
  await query(
    world.databaseUrl,
    `WITH alert AS (
       INSERT INTO alerts (org_id, rule_name, event_key, event_type, subject, data, in_app, is_condition, opened_at)
       VALUES (${orgId}, 'Rule', gen_random_uuid(), 'asset.created', 'asset:1', '{}', true, false, now()) RETURNING id)
     INSERT INTO alert_emails (org_id, user_id, alert_id, due_at)
     SELECT ${orgId}, m.user_id, alert.id, now() FROM alert, memberships m WHERE m.org_id = ${orgId}`,
  );
  let directed = 0;
  const report = await cells.move({
    direct: async () => {
      directed += 1;
      expect(await query(targetUrl, `SELECT moving FROM organizations WHERE id = ${orgId}`)).toEqual([
        { moving: null },
      ]);
    },
  });
  const there = await contentOf(targetUrl, orgId);
  const here = await contentOf(world.databaseUrl, orgId);
  const ignored = { organizations: 'moving', event_interests: 'updated_at', outbox_events: 'id' };
  for (const [table, column] of Object.entries(ignored)) {
    for (const row of [...(there[table] ?? []), ...(here[table] ?? [])])
      delete (row as Record<string, unknown>)[column];
  }
  // Statistics of the last seconds stay behind, as in a crash.
  for (const table of [
    'reader_minutes',
    'read_counts',
    'antenna_levels',
    'location_signatures',
    'readers',
    'api_keys',
  ]) {
    expect([table, there[table]?.length]).toEqual([table, here[table]?.length]);
    delete there[table];
    delete here[table];
  }
  expect(there).toEqual(here);
  expect(there['scan_events']).toHaveLength(40);
  expect(report?.rows).toBeGreaterThan(60);
  expect(report?.accounts).toBe(1);
  expect(directed).toBe(1);
  const jobs = `SELECT payload FROM graphile_worker._private_jobs WHERE key LIKE 'send_alert_emails:%'`;
  expect(await query(targetUrl, jobs)).toEqual([{ payload: { org_id: orgId, user_id: expect.any(Number) } }]);
  expect(await contentOf(world.databaseUrl, neighbor.orgId)).toEqual(neighborBefore);
  expect((await createAsset(neighbor)).id).toBeGreaterThan(0);

  expect(await cells.move()).toBeUndefined();
  await removeMovedOrganization(ends);
  const left = await contentOf(world.databaseUrl, orgId);
  expect(Object.entries(left).filter(([, rows]) => rows.length > 0)).toEqual([]);
  expect(await query(world.databaseUrl, `SELECT FROM pg_trigger WHERE tgname LIKE 'moving_%'`)).toEqual([]);
});

test('while an organization moves, requests get 503, and its reads are rejected while reads of others are stored', async () => {
  await using cells = await createCells();
  const { world } = cells;
  const { core, org } = world;
  const { reader, tag } = await createRows(world);
  const neighbor = await world.organization('North');
  const theirTag = { tag_type: 'rfid', value: 'E2801190000000000000000F' };
  await createAsset(neighbor, { tags: [theirTag] });
  const { id } = await world.db.reader.create({
    data: {
      ...{
        orgId: neighbor.orgId,
        name: 'Door',
        format: 'native',
        mqttUsername: 'door',
        secretHash: '',
        publishTopic: 't',
      },
    },
  });
  const tried: unknown[] = [];
  await cells.move({
    // Longer than the age of a remembered API key.
    noticedWithinMs: 1000,
    report: (line) => {
      if (!line.includes('unavailable')) return;
      tried.push(
        org.get('/api/v1/assets').then(({ status, headers }) => [status, Number(headers['retry-after']) > 0]),
        core.ingestion.ingest(readOf(org, reader, { tag, agoMs: 10 })).catch((error: unknown) => error),
        core.ingestion.ingest(readOf(neighbor, { id }, { tag: theirTag.value, agoMs: 10 })).then(() => 'stored'),
        core.readers
          .changesSince(Date.now() - 60_000)
          .then(({ changes }) =>
            changes.filter(({ readerId }) => readerId === reader.id).map(({ isMoving }) => isMoving),
          ),
        world.db.asset.updateMany({ where: { orgId: org.orgId }, data: { name: 'Late' } }).catch(() => 'refused'),
      );
    },
  });
  expect(await Promise.all(tried)).toEqual([
    [503, true],
    expect.any(OrganizationMovingError),
    'stored',
    [true],
    'refused',
  ]);
  expect((await org.get('/api/v1/assets')).status).toBe(503);
});

test('a move that fails lets the organization go on in its cell, and can be repeated', async () => {
  await using cells = await createCells();
  const { world, targetUrl } = cells;
  await createRows(world);
  const report = (line: string) => {
    if (line.includes('unavailable')) throw new Error('interrupted');
  };
  await expect(cells.move({ report })).rejects.toThrow('interrupted');
  expect(await query(targetUrl, 'SELECT FROM organizations')).toEqual([]);
  await expect.poll(async () => (await world.org.get('/api/v1/assets')).status).toBe(200);
  await createAsset(world.org);
  expect(await query(world.databaseUrl, `SELECT FROM pg_trigger WHERE tgname LIKE 'moving_%'`)).toEqual([]);
  await cells.move();
  expect(await query(targetUrl, 'SELECT count(*)::int AS n FROM assets')).toEqual([{ n: 2 }]);
});

test('an organization that left its cell and did not arrive is moved by a second run, or goes on there', async () => {
  await using cells = await createCells();
  const { world, targetUrl, cells: ends } = cells;
  const { orgId } = world.org;
  await createRows(world);
  const leave = () => query(world.databaseUrl, `UPDATE organizations SET moving = 'left' WHERE id = ${orgId}`);
  await leave();
  await expect(removeMovedOrganization(ends)).rejects.toThrow('has not moved');
  await cancelMove(ends);
  await expect.poll(async () => (await world.org.get('/api/v1/assets')).status).toBe(200);
  await leave();
  await cells.move();
  expect(await query(targetUrl, 'SELECT id FROM organizations')).toEqual([{ id: orgId }]);
  await expect(cancelMove(ends)).rejects.toThrow('is active in the target');
});

test('somebody with the same email address in the other cell is not taken for the member', async () => {
  await using cells = await createCells();
  const { world, targetUrl } = cells;
  const [member] = await world.db.user.findMany();
  const outsider = `INSERT INTO users (email, name) VALUES ('${member?.email}', 'Mallory')`;
  await query(targetUrl, outsider);
  await expect(cells.move()).rejects.toThrow(`other accounts for these people: ${member?.email}`);
  expect((await world.org.get('/api/v1/assets')).status).toBe(200);
});
