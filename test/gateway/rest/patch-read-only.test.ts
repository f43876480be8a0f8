import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, createLocation, nouns, read, type Row, withKey } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';
import { patchCalls, twoTags } from './patch-calls.js';

const world = await sharedWorld();

/** Other ways to write the instant of a timestamp that the service wrote. */
function otherForms(timestamp: string): string[] {
  const ms = Date.parse(timestamp);
  const local = (hours: number) => new Date(ms + hours * 3_600_000).toISOString().slice(0, -1);
  return [
    timestamp,
    timestamp.toLowerCase(),
    timestamp.replace('Z', '+00:00'),
    timestamp.replace('Z', '-00:00'),
    timestamp.replace('Z', '000000Z'),
    timestamp.replace('Z', '999Z'),
    `${local(2)}+02:00`,
    `${local(-5)}999999-05:00`,
    ...(timestamp.endsWith('.000Z') ? [timestamp.replace('.000Z', 'Z')] : []),
  ];
}

describe.each(bothNouns)('a patch that sends back read-only fields of a $noun', (noun) => {
  const { send, accepted } = patchCalls(noun);

  it('accepts the response of a read unchanged', async () => {
    const organization = await world.organization();
    const parent = await createLocation(organization);
    const more =
      noun === nouns.assets ? { metadata: withKey({ a: [1, { b: null }] }, '__proto__', 1) } : { parent_id: parent.id };
    const fields = { description: 'd', valid_to: '2999-01-01T00:00:00Z', tags: twoTags, ...more };
    let row = await create(organization, noun, fields);
    for (let round = 0; round < 3; round += 1) {
      const text = (await organization.get(`${noun.path}/${row.id}`)).text;
      const raw = text.slice('{"data":'.length, -1);
      const answer = await organization.call('PATCH', `${noun.path}/${row.id}`, { raw });
      expect(answer.status, answer.text).toBe(200);
      const now = answer.body.data;
      expect(now.updated_at > row.updated_at).toBe(true);
      expect(now).toEqual({ ...row, updated_at: now.updated_at });
      row = now;
    }
  });

  it('compares timestamps by instant', async () => {
    const organization = await world.organization();
    let row = await create(organization, noun);
    const kinds = otherForms(row.created_at).length;
    for (let kind = 0; kind < kinds; kind += 1) {
      const body = {
        created_at: otherForms(row.created_at)[kind] ?? row.created_at,
        updated_at: otherForms(row.updated_at)[kind] ?? row.updated_at,
        deleted_at: null,
      };
      row = await accepted(organization, row.id, body);
      expect(await read(organization, noun, row.id)).toEqual(row);
    }
  });

  it('rejects each read-only field that differs, in order, and changes nothing', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { tags: twoTags });
    const path = `${noun.path}/${row.id}`;
    const later = (timestamp: string, ms: number) => new Date(Date.parse(timestamp) + ms).toISOString();
    const differing = {
      tags: [],
      deleted_at: later(row.created_at, 0),
      updated_at: later(row.updated_at, -1),
      created_at: later(row.created_at, 1),
      external_key: `${row.external_key}x`,
      id: row.id + 1,
    };
    const readOnly = (field: string, message = new RegExp(field)) => ({ field, code: 'read_only', message });
    const entries = [
      readOnly('id'),
      {
        field: 'external_key',
        code: 'invalid_context',
        message: new RegExp(`POST ${path}/rename .*\\{external_key\\}`),
      },
      readOnly('created_at'),
      readOnly('updated_at'),
      readOnly('deleted_at', /DELETE/),
      { field: 'tags', code: 'invalid_context', message: new RegExp(`${path}/tags`) },
    ];
    expect(await send(organization, row.id, { ...differing, name: 'new' })).toBeInvalid(...entries);
    for (const [index, field] of ['id', 'external_key', 'created_at', 'updated_at', 'deleted_at', 'tags'].entries()) {
      const body = { [field]: differing[field as keyof typeof differing], name: 'new' };
      expect(await send(organization, row.id, body), field).toBeInvalid(entries[index] as (typeof entries)[number]);
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
  });

  it('is rejected if updated_at is stale, and accepted if it is current or absent', async () => {
    const organization = await world.organization();
    const first = await create(organization, noun);
    const second = await accepted(organization, first.id, { name: 'b' });
    const stale = await send(organization, first.id, { name: 'c', updated_at: first.updated_at });
    expect(stale).toBeInvalid({ field: 'updated_at', code: 'read_only' });
    expect(await read(organization, noun, first.id)).toEqual(second);
    await accepted(organization, first.id, { name: 'c', updated_at: second.updated_at });
    await accepted(organization, first.id, { name: 'd' });
  });

  it('compares the key case-sensitively', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun, { external_key: 'Abc' });
    await accepted(organization, id, { external_key: 'Abc' });
    expect(await send(organization, id, { external_key: 'abc' })).toBeInvalid({
      field: 'external_key',
      code: 'invalid_context',
    });
  });

  it('compares tags as a set, by id and content', async () => {
    const organization = await world.organization();
    const { id, tags } = await create(organization, noun, { tags: twoTags });
    const other = await create(organization, noun, { tags: [{ tag_type: 'rfid', value: 'three' }] });
    const [one, two] = tags as [Row['tags'][0], Row['tags'][0]];
    const reordered = { value: two.value, tag_type: two.tag_type, id: two.id };
    for (const same of [
      [one, two],
      [two, one],
      [reordered, one],
      [one, two, one],
      [two, two, reordered, one, one],
    ]) {
      await accepted(organization, id, { tags: same });
    }
    const differing: unknown[][] = [
      [],
      [one],
      [one, one],
      [one, two, ...other.tags],
      [one, { ...two, id: two.id + 1000 }],
      [one, { ...two, value: 'TWO' }],
      [one, { ...two, tag_type: 'rfid' }],
      [one, { tag_type: two.tag_type, value: two.value }],
      [one, { ...two, id: String(two.id) }],
      [one, two, null],
      [one, two, 1],
      [one, two, []],
      [[one, two]],
      [one, two, {}],
    ];
    for (const list of differing) {
      expect(await send(organization, id, { tags: list }), JSON.stringify(list)).toBeInvalid({
        field: 'tags',
        code: 'invalid_context',
      });
    }
    const bare = await create(organization, noun);
    await accepted(organization, bare.id, { tags: [] });
    expect(await send(organization, bare.id, { tags: [one] })).toBeInvalid({ field: 'tags', code: 'invalid_context' });
  });

  it('checks types and formats of read-only fields before comparing them', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    const max = { code: 'too_large', params: { max: 2147483647 } };
    for (const [body, expected] of [
      [{ id: 2147483648 }, { field: 'id', ...max }],
      [{ id: 0 }, { field: 'id', code: 'too_small' }],
      [{ id: 1.5 }, { field: 'id', code: 'invalid_value' }],
      [{ id: '1' }, { field: 'id', code: 'invalid_value' }],
      [{ external_key: '' }, { field: 'external_key', code: 'too_short' }],
      [{ external_key: 'a b' }, { field: 'external_key', code: 'invalid_value' }],
      [{ created_at: '2024-01-01' }, { field: 'created_at', code: 'invalid_value' }],
      [{ updated_at: '1970-01-01T00:00:00Z' }, { field: 'updated_at', code: 'invalid_value' }],
      [{ deleted_at: '' }, { field: 'deleted_at', code: 'invalid_value' }],
      [{ tags: {} }, { field: 'tags', code: 'invalid_value' }],
    ] as const) {
      expect(await send(organization, id, body)).toBeInvalid(expected);
    }
  });
});
