import pg from 'pg';
import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, read, type Row } from '../../support/factories.js';
import type { Answer } from '../../support/answer.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

const atOnce = 10;
const times = (make: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: atOnce }, (_none, index) => make(index)));
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b);
const filled = (status: number, count: number) => Array.from({ length: count }, () => status);

type Request = () => Promise<Answer>;

/** Makes one request wait for a row, and others behind it, and then releases the row. */
async function inTurn(noun: string, id: number, [first, ...others]: [Request, ...Request[]]): Promise<Answer[]> {
  const holder = new pg.Client({ connectionString: world.databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(`SELECT 1 FROM ${noun}s WHERE id = $1 FOR UPDATE`, [id]);
    const answers = [first()];
    await waiting(holder, 1);
    // All at once: a statement that has waited for 250 ms begins to wait anew, behind the others.
    answers.push(...others.map((request) => request()));
    await waiting(holder, answers.length);
    await holder.query('COMMIT');
    return await Promise.all(answers);
  } finally {
    await holder.end();
  }
}

/** Resolves once this many of the service's statements wait for a lock. */
async function waiting(client: pg.Client, count: number): Promise<void> {
  const question = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (;;) {
    // Within a transaction the view stays as it was first seen.
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ n: number }>(question);
    if ((rows[0]?.n ?? 0) >= count) return;
  }
}

describe.each(bothNouns)('one $noun wanted by many at once', (noun) => {
  it('is patched by one of those who carry the same updated_at', async () => {
    const organization = await world.organization();
    let row = await create(organization, noun);
    for (let round = 0; round < 3; round += 1) {
      const { id, updated_at } = row;
      const answers = await times((index) =>
        organization.patch(`${noun.path}/${id}`, { name: `by ${index}`, updated_at }),
      );
      expect(statusesOf(answers)).toEqual([200, ...filled(400, atOnce - 1)]);
      for (const lost of answers.filter(({ status }) => status === 400))
        expect(lost).toBeInvalid({ field: 'updated_at', code: 'read_only' });
      row = await read(organization, noun, id);
      expect(answers.find(({ status }) => status === 200)?.body.data).toEqual(row);
    }
  });

  it('is patched by all who carry none, one after the other', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const answers = await times((index) =>
      organization.patch(
        `${noun.path}/${row.id}`,
        index % 2 === 0 ? { name: `by ${index}` } : { id: row.id, description: `by ${index}` },
      ),
    );
    expect(statusesOf(answers)).toEqual(filled(200, atOnce));
    const stamps = answers.map(({ body }) => body.data.updated_at as string).sort();
    expect(new Set(stamps).size).toBe(atOnce);
    expect((stamps[0] ?? '') > row.updated_at).toBe(true);
    const now = await read(organization, noun, row.id);
    expect(now.updated_at).toBe(stamps.at(-1));
    // Two fields changed by turns: no patch took back what another had set.
    expect(now).toMatchObject({
      name: expect.stringMatching(/^by \d$/),
      description: expect.stringMatching(/^by \d$/),
    });
  });

  it('is deleted by one', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { tags: [{ tag_type: 'rfid', value: 'v' }] });
    const answers = await times(() => organization.delete(`${noun.path}/${row.id}`));
    expect(statusesOf(answers)).toEqual([204, ...filled(404, atOnce - 1)]);
    for (const lost of answers.filter(({ status }) => status === 404))
      expect(lost).toBeError({ type: 'not_found', detail: noun.notFound });
    expect((await organization.get(`${noun.path}?include_deleted=true`)).body).toMatchObject({
      total_count: 1,
      data: [{ tags: row.tags }],
    });
  });

  it('loses one tag to one', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { tags: [{ tag_type: 'rfid', value: 'v' }] });
    const answers = await times(() => organization.delete(`${noun.path}/${row.id}/tags/${row.tags[0]?.id}`));
    expect(statusesOf(answers)).toEqual([204, ...filled(404, atOnce - 1)]);
  });

  it('keeps no live tag when one is attached while it is deleted', async () => {
    const organization = await world.organization();
    for (let round = 0; round < 10; round += 1) {
      const tag = { tag_type: 'barcode', value: `round ${round}` };
      const row = await create(organization, noun);
      const attach = () => organization.post(`${noun.path}/${row.id}/tags`, tag);
      const remove = () => organization.delete(`${noun.path}/${row.id}`);
      const [attached, removed] =
        round % 2 === 0
          ? await Promise.all([attach(), remove()])
          : (await Promise.all([remove(), attach()])).toReversed();
      expect(removed?.status).toBe(204);
      expect([201, 404], attached?.text).toContain(attached?.status);
      const [deleted] = (
        await organization.get(`${noun.path}?include_deleted=true&external_key=${row.external_key}&sort=-created_at`)
      ).body.data;
      expect(deleted.tags).toEqual(attached?.status === 201 ? [attached.body.data] : []);
      const again = await create(organization, noun, { external_key: `next-${round}`, tags: [tag] });
      expect(again.tags).toMatchObject([tag]);
    }
  });

  it('that is deleted first takes no tag from those who waited behind', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const path = `${noun.path}/${row.id}`;
    const tag = { tag_type: 'ble', value: 'late' };
    const [removed, attached] = await inTurn(noun.noun, row.id, [
      () => organization.delete(path),
      () => organization.post(`${path}/tags`, tag),
    ]);
    expect(removed?.status).toBe(204);
    expect(attached).toBeError({ type: 'not_found', detail: noun.notFound });
    expect((await create(organization, noun, { tags: [tag] })).tags).toMatchObject([tag]);
  });

  it('that gets a tag first takes it along when it is deleted', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const path = `${noun.path}/${row.id}`;
    const tag = { tag_type: 'ble', value: 'early' };
    const [attached, removed] = await inTurn(noun.noun, row.id, [
      () => organization.post(`${path}/tags`, tag),
      () => organization.delete(path),
    ]);
    expect([attached?.status, removed?.status]).toEqual([201, 204]);
    expect((await create(organization, noun, { tags: [tag] })).tags).toMatchObject([tag]);
  });

  it('that is deleted first is missing for those who waited to change it', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const path = `${noun.path}/${row.id}`;
    const [removed, ...late] = await inTurn(noun.noun, row.id, [
      () => organization.delete(path),
      () => organization.patch(path, { name: 'late' }),
      () => organization.patch(path, { name: 'late', updated_at: row.updated_at }),
      () => organization.post(`${path}/rename`, { external_key: 'late' }),
      () => organization.delete(path),
    ]);
    expect(removed?.status).toBe(204);
    for (const answer of late) expect(answer).toBeError({ type: 'not_found', detail: noun.notFound });
    const { body } = await organization.get(`${noun.path}?include_deleted=true`);
    expect(body.data).toMatchObject([{ name: row.name, external_key: row.external_key, updated_at: row.updated_at }]);
  });

  it('is changed or gone, never both', async () => {
    const organization = await world.organization();
    for (let round = 0; round < 6; round += 1) {
      const row = await create(organization, noun);
      const path = `${noun.path}/${row.id}`;
      const answers = await Promise.all([
        organization.patch(path, { name: 'patched' }),
        organization.patch(path, { name: 'patched', updated_at: row.updated_at }),
        organization.delete(path),
        organization.post(`${path}/rename`, { external_key: `renamed-${round}` }),
      ]);
      expect(answers[2]?.status).toBe(204);
      for (const { status, text } of answers) expect([200, 204, 400, 404], text).toContain(status);
      expect((await organization.get(path)).status).toBe(404);
      const { body } = await organization.get(`${noun.path}?include_deleted=true&sort=-created_at&limit=1`);
      expect(body.data[0].id).toBe(row.id);
      expect(body.data[0].external_key).toBe(answers[3]?.status === 200 ? `renamed-${round}` : row.external_key);
    }
  });
});

describe.each(bothNouns)('the counts of $noun rows', (noun) => {
  it('are exact after a storm', async () => {
    const organization = await world.organization();
    const rows: Row[] = [];
    for (let made = 0; made < 12; made += 1) rows.push(await create(organization, noun, { is_active: made % 3 !== 0 }));
    const answers = await Promise.all([
      ...rows.slice(0, 4).map(({ id }) => organization.delete(`${noun.path}/${id}`)),
      ...rows.flatMap(({ id }, index) =>
        [true, false, index % 2 === 0].map((is_active) => organization.patch(`${noun.path}/${id}`, { is_active })),
      ),
      ...Array.from({ length: 10 }, (_none, index) =>
        organization.post(noun.path, { name: 'n', is_active: index % 4 !== 0 }),
      ),
      ...Array.from({ length: 10 }, (_none, index) =>
        organization.post(noun.path, { name: 'n', external_key: `own-${index % 7}` }),
      ),
      ...rows
        .slice(3, 8)
        .map(({ id }) => organization.post(`${noun.path}/${id}/rename`, { external_key: `renamed-${id}` })),
      ...rows.slice(2, 6).map(({ id }) => organization.delete(`${noun.path}/${id}`)),
      ...rows
        .slice(6, 9)
        .map(({ id }) => organization.patch(`${noun.path}/${id}`, { valid_to: '2020-01-01T00:00:00Z' })),
      organization.post(noun.path, { name: 'future', valid_from: '2999-01-01T00:00:00Z' }),
    ]);
    expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
    for (const query of [
      '',
      '?is_active=true',
      '?is_active=false',
      '?include_deleted=true',
      '?include_deleted=true&is_active=true',
      '?include_deleted=true&is_active=false',
    ]) {
      const { body } = await organization.get(`${noun.path}${query}${query === '' ? '?' : '&'}limit=200`);
      expect(body.total_count, query).toBe(body.data.length);
    }
    const [{ live } = { live: -1 }] = await world.db.$queryRawUnsafe<{ live: number }[]>(
      `SELECT count(*)::int AS live FROM ${noun.noun}s WHERE org_id = $1 AND deleted_at IS NULL
          AND valid_from <= now() AND (valid_to IS NULL OR valid_to > now())`,
      organization.orgId,
    );
    expect((await organization.get(noun.path)).body.total_count).toBe(live);
  });
});
