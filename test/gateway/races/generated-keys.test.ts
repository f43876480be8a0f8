import { beforeAll, describe, expect, it } from 'vitest';
import { bothNouns, create, type Row } from '../../support/factories.js';
import { sharedWorld, type TestOrganization, type World } from '../../support/world.js';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
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
