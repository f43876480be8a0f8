import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { createLocation, keysOf, nouns } from '../../support/factories.js';
import { sharedWorld, type TestOrganization } from '../../support/world.js';

const { path } = nouns.locations;

const world = await sharedWorld();

/** How many locations never come to a root, walking up; and how many live ones have a parent that is not live. */
async function flawsOf({ orgId }: TestOrganization): Promise<{ circling: number; orphaned: number }> {
  const [flaws] = await world.db.$queryRaw<{ circling: number; orphaned: number }[]>`
    WITH RECURSIVE rooted AS (
      SELECT id FROM locations WHERE org_id = ${orgId} AND parent_id IS NULL
      UNION ALL
      SELECT l.id FROM rooted r JOIN locations l ON l.org_id = ${orgId} AND l.parent_id = r.id
    )
    SELECT (SELECT count(*)::int FROM locations WHERE org_id = ${orgId}) - (SELECT count(*)::int FROM rooted) AS circling,
           (SELECT count(*)::int FROM locations l JOIN locations p ON p.id = l.parent_id
             WHERE l.org_id = ${orgId} AND l.deleted_at IS NULL AND p.deleted_at IS NOT NULL) AS orphaned`;
  return flaws ?? { circling: -1, orphaned: -1 };
}

const whole = { circling: 0, orphaned: 0 };

describe('moves at once', () => {
  it('of two locations, each below the other, let one through', async () => {
    const organization = await world.organization();
    for (let round = 0; round < 8; round += 1) {
      const [a, b] = await Promise.all([createLocation(organization), createLocation(organization)]);
      const answers = await Promise.all([
        organization.patch(`${path}/${a.id}`, { parent_id: b.id }),
        organization.patch(`${path}/${b.id}`, { parent_id: a.id }),
      ]);
      const [won, lost] = answers.toSorted((one, other) => one.status - other.status);
      expect(won?.status).toBe(200);
      const { id: moved, parent_id: below } = won?.body.data ?? {};
      expect(lost).toBeError({
        type: 'conflict',
        detail: `parent_id ${moved} would create a cycle through location ${below}`,
      });
    }
    expect(await flawsOf(organization)).toEqual(whole);
  });

  it('around a ring never close it', async () => {
    const organization = await world.organization();
    const ring = await Promise.all(Array.from({ length: 6 }, () => createLocation(organization)));
    const answers = await Promise.all(
      ring.map(({ id }, index) =>
        organization.patch(`${path}/${id}`, { parent_id: ring[(index + 1) % ring.length]?.id }),
      ),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 200, 200, 200, 409]);
    expect(await flawsOf(organization)).toEqual(whole);
  });

  it('in all directions keep a tree a tree', async () => {
    const organization = await world.organization();
    const rows = await Promise.all(Array.from({ length: 8 }, () => createLocation(organization)));
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all(
        rows.flatMap(({ id }, index) =>
          [1, 3, 5].map((step) =>
            organization.patch(`${path}/${id}`, { parent_id: rows[(index * step + step + round) % rows.length]?.id }),
          ),
        ),
      );
      expect(answers.filter(({ status }) => status !== 200 && status !== 409).map(({ text }) => text)).toEqual([]);
      expect(await flawsOf(organization)).toEqual(whole);
    }
  });

  it('carrying the same updated_at let one through', async () => {
    const organization = await world.organization();
    const row = await createLocation(organization);
    const parents = await Promise.all(Array.from({ length: 6 }, () => createLocation(organization)));
    const answers = await Promise.all(
      parents.map(({ id }) => organization.patch(`${path}/${row.id}`, { parent_id: id, updated_at: row.updated_at })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const lost of answers.filter(({ status }) => status !== 200))
      expect(lost).toBeInvalid({ field: 'updated_at', code: 'read_only' });
  });
});

describe('deleting a location', () => {
  const blocked = { type: 'conflict', detail: /^location has descendant locations; / };
  const unresolved = { field: 'parent_id', code: 'fk_not_found' };

  it('while a child is created below it lets one of both happen', async () => {
    const organization = await world.organization();
    for (let round = 0; round < 12; round += 1) {
      const parent = await createLocation(organization);
      const create = () => organization.post(path, { name: 'child', parent_id: parent.id });
      const remove = () => organization.delete(`${path}/${parent.id}`);
      const [made, gone] =
        round % 2 === 0
          ? await Promise.all([create(), remove()])
          : (await Promise.all([remove(), create()])).toReversed();
      if (gone?.status === 204) expect(made).toBeInvalid(unresolved);
      else {
        expect(gone).toBeError(blocked);
        expect(made?.status).toBe(201);
      }
    }
    expect(await flawsOf(organization)).toEqual(whole);
  });

  it('while others move below it lets one of both happen', async () => {
    const organization = await world.organization();
    for (let round = 0; round < 6; round += 1) {
      const [parent, ...movers] = await Promise.all(Array.from({ length: 4 }, () => createLocation(organization)));
      const [gone, ...moved] = await Promise.all([
        organization.delete(`${path}/${parent?.id}`),
        ...movers.map(({ id }) => organization.patch(`${path}/${id}`, { parent_id: parent?.id })),
      ]);
      if (gone?.status === 204) for (const answer of moved) expect(answer).toBeInvalid(unresolved);
      else {
        expect(gone).toBeError(blocked);
        expect(moved.some(({ status }) => status === 200)).toBe(true);
      }
    }
    expect(await flawsOf(organization)).toEqual(whole);
  });

  it('together with its whole branch, from all sides, ends in a tree', async () => {
    const organization = await world.organization();
    for (let round = 0; round < 4; round += 1) {
      const a = await createLocation(organization);
      const b = await createLocation(organization, { parent_id: a.id });
      const c = await createLocation(organization, { parent_id: b.id });
      const answers = await Promise.all([
        organization.delete(`${path}/${c.id}`),
        organization.delete(`${path}/${b.id}`),
        organization.delete(`${path}/${a.id}`),
        organization.patch(`${path}/${c.id}`, { parent_id: a.id }),
        organization.patch(`${path}/${b.id}`, { parent_id: null, name: 'promoted' }),
        organization.post(path, { name: 'new', parent_id: c.id, tags: [{ tag_type: 'ble', value: `${round}` }] }),
        organization.post(`${path}/${b.id}/rename`, { external_key: `renamed-${round}` }),
      ]);
      expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
    }
    expect(await flawsOf(organization)).toEqual(whole);
    expect((await keysOf(organization, path)).length).toBe((await organization.get(path)).body.total_count);
  });
});
