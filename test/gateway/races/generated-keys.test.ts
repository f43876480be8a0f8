import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bothNouns, create, type Row } from '../../support/factories.js';
import { sharedWorld, type TestOrganization, type World } from '../../support/world.js';

let world: World;
/** A connection of another client, whose transaction is open. */
let other: pg.Client;

beforeAll(async () => {
  world = await sharedWorld();
  other = new pg.Client({ connectionString: world.databaseUrl });
  await other.connect();
  // Without a shard of its own for the kept counts, it has the service's by chance, and the service waits for it.
  await other.query('SET whereabouts.count_shard = 16');
});

afterAll(async () => {
  await other.end();
});

const atOnce = 20;

describe.each(bothNouns)('creating $noun rows without a key at once', (noun) => {
  const key = (slot: number) => `${noun.generatedPrefix}${String(slot).padStart(4, '0')}`;

  /** Twenty creates in flight together, and the keys they got, in order. */
  async function storm(organization: TestOrganization): Promise<string[]> {
    const answers = await Promise.all(
      Array.from({ length: atOnce }, () => organization.post(noun.path, { name: 'n' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: atOnce }, () => 201));
    return answers.map(({ body }) => body.data.external_key as string).sort();
  }

  async function liveKeys(organization: TestOrganization): Promise<string[]> {
    const { body } = await organization.get(`${noun.path}?limit=200`);
    expect(body.total_count).toBe(body.data.length);
    return body.data.map((row: Row) => row.external_key);
  }

  /** The lowest slots that are not taken. */
  function lowestFree(taken: readonly string[], count: number): string[] {
    const free: string[] = [];
    for (let slot = 1; free.length < count; slot += 1) if (!taken.includes(key(slot))) free.push(key(slot));
    return free;
  }

  it('gives each a slot of its own, the lowest there are, without a gap', async () => {
    const organization = await world.organization();
    expect(await storm(organization)).toEqual(lowestFree([], atOnce));
    expect(await storm(organization)).toEqual(lowestFree(lowestFree([], atOnce), atOnce));
  });

  it('fills gaps first', async () => {
    const organization = await world.organization();
    const taken = [2, 3, 7, 11, 12, 13, 19, 30].map(key);
    for (const external_key of taken) await create(organization, noun, { external_key });
    expect(await storm(organization)).toEqual(lowestFree(taken, atOnce));
  });

  it('keeps the series whole while others delete, rename and take slots by name', async () => {
    const organization = await world.organization();
    const rows: Row[] = [];
    for (let made = 0; made < 12; made += 1) rows.push(await create(organization, noun));
    const statuses = await Promise.all([
      ...Array.from({ length: atOnce }, () => organization.post(noun.path, { name: 'n' })),
      ...rows.slice(0, 5).map(({ id }) => organization.delete(`${noun.path}/${id}`)),
      ...rows
        .slice(5, 9)
        .map(({ id }) => organization.post(`${noun.path}/${id}/rename`, { external_key: `other-${id}` })),
      ...[40, 41, 42].map((slot) => organization.post(noun.path, { name: 'n', external_key: key(slot) })),
    ]);
    expect(statuses.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([]);
    const live = await liveKeys(organization);
    expect(new Set(live).size).toBe(live.length);
    expect(live).toHaveLength(12 - 5 + atOnce + 3);
    // Nobody went further than if none of the old slots had come free.
    const generated = live.filter(
      (name) => name.startsWith(noun.generatedPrefix) && !['0040', '0041', '0042'].some((end) => name.endsWith(end)),
    );
    expect(
      generated.every((name) => name <= key(12 + atOnce)),
      generated.join(),
    ).toBe(true);
    const expected = lowestFree(live, atOnce);
    expect(await storm(organization)).toEqual(expected);
  });

  it('does not let a rejected create take a slot', async () => {
    const organization = await world.organization();
    const tags = [{ tag_type: 'ble', value: 'one' }];
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_none, index) =>
        organization.post(noun.path, { name: 'n', ...(index % 2 === 0 ? { tags } : {}) }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(atOnce / 2 + 1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(atOnce / 2 - 1);
    expect(await liveKeys(organization)).toEqual(lowestFree([], made.length));
  });
});

describe.each(bothNouns)('a generated key of $noun rows', (noun) => {
  const key = (slot: number) => `${noun.generatedPrefix}000${slot}`;
  const table = `${noun.noun}s`;
  const nextKey = async (organization: TestOrganization) => (await create(organization, noun)).external_key;

  /** Stores a row with the key in the open transaction. */
  async function insert({ orgId }: TestOrganization, externalKey: string): Promise<void> {
    await other.query(
      `INSERT INTO ${table} (org_id, external_key, name, valid_from, created_at, updated_at)
       VALUES ($1, $2, 'n', now(), now(), now())`,
      [orgId, externalKey],
    );
  }

  /** Resolves once a statement that inserts waits for the open transaction. */
  async function isWaiting(): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await other.query(
          `SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO ${table}%'`,
        );
        return rows.length;
      })
      .toBe(1);
  }

  it('is the lowest one that was freed, unless a row was given it since', async () => {
    const organization = await world.organization();
    const rows: Row[] = [];
    for (let made = 0; made < 6; made += 1) rows.push(await create(organization, noun));
    const [, second, third, , fifth] = rows;
    await organization.delete(`${noun.path}/${fifth?.id}`);
    await organization.delete(`${noun.path}/${third?.id}`);
    await organization.post(`${noun.path}/${second?.id}/rename`, { external_key: 'other' });
    await create(organization, noun, { external_key: key(3) });
    expect(await nextKey(organization)).toBe(key(2));
    expect(await nextKey(organization)).toBe(key(5));
    expect(await nextKey(organization)).toBe(key(7));
  });

  it.each(['COMMIT', 'ROLLBACK'])('waits for a row that is given the same key, up to its %s', async (end) => {
    const organization = await world.organization();
    await other.query('BEGIN');
    await insert(organization, key(1));
    const made = nextKey(organization);
    await isWaiting();
    await other.query(end);
    expect(await made).toBe(key(end === 'COMMIT' ? 2 : 1));
    expect(await nextKey(organization)).toBe(key(end === 'COMMIT' ? 3 : 2));
  });

  it('does not wait for a deletion, whose key is free once it is committed', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun, { external_key: key(1) });
    await other.query('BEGIN');
    await other.query(`UPDATE ${table} SET deleted_at = now() WHERE id = $1`, [id]);
    expect(await nextKey(organization)).toBe(key(2));
    await other.query('COMMIT');
    expect(await nextKey(organization)).toBe(key(1));
    expect(await nextKey(organization)).toBe(key(3));
  });
});

it('keeps the series of organizations and kinds apart', async () => {
  const organizations = await Promise.all(Array.from({ length: 4 }, () => world.organization()));
  const answers = await Promise.all(
    organizations.flatMap((organization) =>
      bothNouns.flatMap((noun) => Array.from({ length: 5 }, () => organization.post(noun.path, { name: 'n' }))),
    ),
  );
  expect(answers.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([]);
  for (const organization of organizations) {
    for (const noun of bothNouns) {
      const { body } = await organization.get(noun.path);
      expect(body.data.map((row: Row) => row.external_key)).toEqual(
        [1, 2, 3, 4, 5].map((slot) => `${noun.generatedPrefix}000${slot}`),
      );
    }
  }
});
