import { beforeAll, describe, expect, it } from 'vitest';
import { bothNouns, create, keysOf, nouns, remove } from '../../support/factories.js';
import type { RestClient } from '../../support/rest-client.js';
import { sharedWorld, type World } from '../../support/world.js';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});

describe.each(bothNouns)('the generated key of a $noun', (noun) => {
  const key = (slot: number) => `${noun.generatedPrefix}${String(slot).padStart(4, '0')}`;

  async function generate(client: RestClient, count = 1): Promise<string[]> {
    const keys: string[] = [];
    for (let made = 0; made < count; made += 1) keys.push((await create(client, noun)).external_key);
    return keys;
  }

  it('uses the lowest slot that no live row has', async () => {
    const organization = await world.organization();
    expect(await generate(organization, 3)).toEqual([key(1), key(2), key(3)]);
  });

  it('skips slots that explicit keys occupy', async () => {
    const organization = await world.organization();
    for (const slot of [2, 3, 5]) await create(organization, noun, { external_key: key(slot) });
    expect(await generate(organization, 4)).toEqual([key(1), key(4), key(6), key(7)]);
  });

  it('ignores keys that only resemble generated keys', async () => {
    const organization = await world.organization();
    const other = noun === nouns.assets ? nouns.locations : nouns.assets;
    const prefix = noun.generatedPrefix;
    const lookalikes = [
      `${prefix}1`,
      `${prefix}001`,
      `${prefix}00001`,
      `${prefix}000000001`,
      `${prefix}0000`,
      prefix,
      `${prefix}-0001`,
      `${prefix}0001-`,
      `${prefix}0001a`,
      `X${prefix}0001`,
      `${prefix.toLowerCase()}0001`,
      `${other.generatedPrefix}0001`,
      `${prefix}99999999999999999999999999`,
      `${prefix}${'9'.repeat(240)}`,
      `${prefix}1000000000000000`,
    ];
    for (const lookalike of lookalikes) await create(organization, noun, { external_key: lookalike });
    expect(await generate(organization, 2)).toEqual([key(1), key(2)]);
  });

  it('fills gaps left by deletions, lowest first, and then continues', async () => {
    const organization = await world.organization();
    const rows = [];
    for (let made = 0; made < 6; made += 1) rows.push(await create(organization, noun));
    for (const index of [4, 1, 2]) await remove(organization, noun, rows[index]?.id ?? 0);
    expect(await generate(organization, 4)).toEqual([key(2), key(3), key(5), key(7)]);
  });

  it('is reused each time its only row is deleted', async () => {
    const organization = await world.organization();
    for (let round = 0; round < 3; round += 1) {
      const row = await create(organization, noun);
      expect(row.external_key).toBe(key(1));
      await remove(organization, noun, row.id);
    }
    expect(await generate(organization, 2)).toEqual([key(1), key(2)]);
  });

  it('fills the slot that a rename frees, and skips the slot that it occupies', async () => {
    const organization = await world.organization();
    const [first] = [await create(organization, noun), await create(organization, noun)];
    await organization.post(`${noun.path}/${first.id}/rename`, { external_key: key(4) });
    expect(await generate(organization, 3)).toEqual([key(1), key(3), key(5)]);
    await organization.post(`${noun.path}/${first.id}/rename`, { external_key: 'another' });
    expect(await generate(organization)).toEqual([key(4)]);
  });

  it('does not consume a slot when the create fails', async () => {
    const organization = await world.organization();
    await create(organization, noun, { tags: [{ tag_type: 'ble', value: 'taken' }], external_key: 'K' });
    const refused = await organization.post(noun.path, { name: 'n', tags: [{ tag_type: 'ble', value: 'taken' }] });
    expect(refused.status).toBe(409);
    expect(await generate(organization)).toEqual([key(1)]);
  });

  it('grows to five digits after 9999', async () => {
    const organization = await world.organization();
    const table = noun === nouns.assets ? 'assets' : 'locations';
    await world.db.$executeRawUnsafe(
      `INSERT INTO ${table} (org_id, external_key, name, valid_from, created_at, updated_at)
       SELECT $1, $2 || lpad(slot::text, 4, '0'), 'n', now(), now(), now() FROM generate_series(1, 9998) AS slot`,
      organization.orgId,
      noun.generatedPrefix,
    );
    await create(organization, noun, { external_key: `${noun.generatedPrefix}010001` });
    await create(organization, noun, { external_key: `${noun.generatedPrefix}10002` });
    expect(await generate(organization, 4)).toEqual([key(9999), key(10_000), key(10_001), key(10_003)]);
    const [middle] = (await organization.get(`${noun.path}?external_key=${key(5000)}`)).body.data;
    await remove(organization, noun, middle.id);
    expect(await generate(organization, 2)).toEqual([key(5000), key(10_004)]);
  });

  it('is counted separately for each organization', async () => {
    const [ours, theirs] = [await world.organization(), await world.organization()];
    await generate(ours, 2);
    expect(await generate(theirs, 1)).toEqual([key(1)]);
    expect(await keysOf(ours, noun.path)).toEqual([key(1), key(2)]);
  });

  it('is counted separately for assets and locations', async () => {
    const organization = await world.organization();
    await create(organization, noun === nouns.assets ? nouns.locations : nouns.assets);
    expect(await generate(organization)).toEqual([key(1)]);
  });

  it('skips slots of rows that are inactive, expired or not yet effective', async () => {
    const organization = await world.organization();
    await create(organization, noun, { is_active: false });
    await create(organization, noun, { valid_to: '2020-01-01T00:00:00Z' });
    await create(organization, noun, { valid_from: '2999-01-01T00:00:00Z' });
    expect(await generate(organization)).toEqual([key(4)]);
  });
});
