import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../support/expect-error.js';
import { bothNouns, create, createLocation, type Noun, nouns, read } from '../support/factories.js';
import { sharedWorld } from '../support/world.js';

const world = await sharedWorld();

/** Another connection, which changes rows and tags as another request does. */
let other: pg.Client;

beforeAll(async () => {
  other = new pg.Client({ connectionString: world.databaseUrl });
  await other.connect();
});
afterAll(() => other.end());

/** Resolves once a statement of the service waits for the row that `other` has locked. */
async function untilOneWaits(): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (let count = 0; count === 0; ) {
    // Within a transaction the view stays as it was first seen.
    await other.query('SELECT pg_stat_clear_snapshot()');
    count = (await other.query(waiting)).rows.length;
  }
}

/** Sends a request while `other` has locked a row, and commits a change in the same transaction once the request waits. */
async function behind<Answer>(
  { noun, id }: { noun: Noun; id: number },
  request: () => Promise<Answer>,
  change?: () => Promise<unknown>,
): Promise<Answer> {
  await other.query('BEGIN');
  await other.query(`SELECT 1 FROM ${noun.noun}s WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  const answer = request();
  await untilOneWaits();
  await change?.();
  await other.query('COMMIT');
  return answer;
}

// The answers had the tags that the row had before it was locked.
describe.each(bothNouns)('tags of a $noun, changed while a request waits for its row', (noun) => {
  const attach = (orgId: number, id: number, value: string) =>
    other.query(`INSERT INTO tags (org_id, ${noun.noun}_id, tag_type, value) VALUES ($1, $2, 'rfid', $3)`, [
      orgId,
      id,
      value,
    ]);

  it('are in the answer of a patch and of a rename', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const path = `${noun.path}/${row.id}`;
    const requests = [
      () => organization.patch(path, { name: 'changed' }),
      () => organization.patch(path, { name: 'again', id: row.id }),
      () => organization.post(`${path}/rename`, { external_key: 'renamed' }),
      () => organization.post(`${path}/rename`, { external_key: 'renamed' }),
    ];
    for (const [index, request] of requests.entries()) {
      const answer = await behind({ noun, id: row.id }, request, () =>
        attach(organization.orgId, row.id, `tag ${index}`),
      );
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.data.tags).toHaveLength(index + 1);
      expect(answer.body.data).toEqual(await read(organization, noun, row.id));
    }
  });

  it('make a patch fail that sends the former ones back', async () => {
    const organization = await world.organization();
    const { id, tags } = await create(organization, noun, { tags: [{ tag_type: 'rfid', value: 'first' }] });
    const patch = () => organization.patch(`${noun.path}/${id}`, { name: 'changed', tags });
    const changes = [
      () => attach(organization.orgId, id, 'second'),
      () => other.query('DELETE FROM tags WHERE id = $1', [tags[0]?.id]),
    ];
    for (const change of changes) {
      expect(await behind({ noun, id }, patch, change)).toBeInvalid({ field: 'tags', code: 'invalid_context' });
    }
  });

  it('wait for the row, when one is attached and when it is detached', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    const tagsPath = `${noun.path}/${id}/tags`;
    const attached = await behind({ noun, id }, () =>
      organization.post(tagsPath, { tag_type: 'rfid', value: 'waits' }),
    );
    expect(attached.status).toBe(201);
    const detached = await behind({ noun, id }, () => organization.delete(`${tagsPath}/${attached.body.data.id}`));
    expect(detached.status).toBe(204);
  });
});

it('the key of the parent in the answer is the one it has when the row is locked', async () => {
  const noun = nouns.locations;
  const organization = await world.organization();
  const parent = await createLocation(organization);
  const child = await createLocation(organization, { parent_id: parent.id });
  const rename = (key: string) => () =>
    other.query('UPDATE locations SET external_key = $1 WHERE id = $2', [key, parent.id]);
  const path = `/api/v1/locations/${child.id}`;
  const patched = await behind(
    { noun, id: child.id },
    () => organization.patch(path, { name: 'changed' }),
    rename('A'),
  );
  expect(patched.body.data.parent_external_key).toBe('A');
  const renamed = await behind(
    { noun, id: child.id },
    () => organization.post(`${path}/rename`, { external_key: 'child' }),
    rename('B'),
  );
  expect(renamed.body.data.parent_external_key).toBe('B');
  const stale = await behind(
    { noun, id: child.id },
    () => organization.patch(path, { parent_external_key: 'B' }),
    rename('C'),
  );
  expect(stale).toBeInvalid({ field: 'parent_external_key', code: 'fk_not_found' });
});
