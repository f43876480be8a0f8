import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, createAsset, nouns, read, remove } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

describe.each(bothNouns)('the tags of a $noun', (noun) => {
  const notAttached = { type: 'not_found', detail: `Tag not found on this ${noun.noun}` };
  const rowMissing = { type: 'not_found', detail: noun.notFound };

  it('are attached one by one', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const attached = [];
    for (const tag of [
      { tag_type: 'rfid', value: 'E2' },
      { tag_type: 'ble', value: 'E2' },
      { tag_type: 'barcode', value: 'e2' },
    ]) {
      const answer = await organization.post(`${noun.path}/${row.id}/tags`, tag);
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body).toEqual({ data: { id: expect.any(Number), ...tag } });
      expect(answer.headers['location']).toBe(`${noun.path}/${row.id}/tags/${answer.body.data.id}`);
      attached.push(answer.body.data);
    }
    const now = await read(organization, noun, row.id);
    expect(now.tags.toSorted((a, b) => a.id - b.id)).toEqual(attached);
    expect({ ...now, tags: [] }).toEqual(row);
  });

  it('are detached one by one without changing updated_at', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, {
      tags: [
        { tag_type: 'rfid', value: 'a' },
        { tag_type: 'rfid', value: 'b' },
      ],
    });
    const [first, second] = row.tags.toSorted((a, b) => (a.value < b.value ? -1 : 1));
    const path = `${noun.path}/${row.id}/tags/${first?.id}`;
    const answer = await organization.delete(path);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await read(organization, noun, row.id)).toEqual({ ...row, tags: [second] });
    expect(await organization.delete(path)).toBeError({ ...notAttached, instance: path });
    const back = await organization.post(`${noun.path}/${row.id}/tags`, { tag_type: 'rfid', value: 'a' });
    expect(back.status).toBe(201);
    expect(back.body.data.id).not.toBe(first?.id);
  });

  it('are limited to 100, even when several are attached concurrently', async () => {
    const organization = await world.organization();
    const tags = Array.from({ length: 98 }, (_none, index) => ({ tag_type: 'rfid', value: `T${index}` }));
    const row = await create(organization, noun, { tags });
    const path = `${noun.path}/${row.id}/tags`;
    const attach = (value: string) => organization.post(path, { tag_type: 'ble', value });
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(attach));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409]);
    const detail = `${noun.noun === 'asset' ? 'an' : 'a'} ${noun.noun} can have at most 100 tags`;
    expect(await attach('f')).toBeError({ type: 'conflict', detail, instance: path });
    const { tags: attached } = await read(organization, noun, row.id);
    expect(attached).toHaveLength(100);
    await organization.delete(`${path}/${attached[0]?.id}`);
    expect((await attach('f')).status).toBe(201);
  });

  it('are detached only from their own row', async () => {
    const organization = await world.organization();
    const outsider = await world.organization('Outsiders');
    const tag = (value: string) => ({ tags: [{ tag_type: 'rfid', value }] });
    const row = await create(organization, noun, tag('own'));
    const sibling = await create(organization, noun, tag('sibling'));
    const cousin = await create(organization, noun === nouns.assets ? nouns.locations : nouns.assets, tag('cousin'));
    const foreign = await create(outsider, noun, tag('foreign'));
    for (const other of [sibling, cousin, foreign]) {
      const id = other.tags[0]?.id ?? 0;
      expect(await organization.delete(`${noun.path}/${row.id}/tags/${id}`)).toBeError(notAttached);
      expect(await outsider.delete(`${noun.path}/${row.id}/tags/${row.tags[0]?.id}`)).toBeError(rowMissing);
    }
    expect(await organization.delete(`${noun.path}/${row.id}/tags/2147483647`)).toBeError(notAttached);
    const orgIds = [organization.orgId, outsider.orgId];
    expect(await world.db.tag.count({ where: { orgId: { in: orgIds }, deletedAt: null } })).toBe(4);
  });

  it('are unique by type and value among all live tags of the organization', async () => {
    const organization = await world.organization();
    const outsider = await world.organization('Outsiders');
    const tag = { tag_type: 'barcode', value: 'Ä 1' };
    const row = await create(organization, noun, { tags: [tag] });
    const taken = { type: 'conflict', detail: 'tag barcode:Ä 1 already exists' };
    for (const kind of bothNouns) {
      const other = await create(organization, kind);
      expect(await organization.post(`${kind.path}/${other.id}/tags`, tag)).toBeError(taken);
      expect(await organization.post(kind.path, { name: 'n', tags: [tag] })).toBeError(taken);
      for (const near of [
        { ...tag, tag_type: 'ble' },
        { ...tag, value: 'ä 1' },
        { ...tag, value: 'Ä 1 ' },
      ]) {
        const distinct = await organization.post(`${kind.path}/${other.id}/tags`, {
          ...near,
          value: `${near.value}${kind === noun ? '' : '!'}`,
        });
        expect(distinct.status, distinct.text).toBe(201);
      }
    }
    expect(await organization.post(`${noun.path}/${row.id}/tags`, tag)).toBeError(taken);
    expect((await create(outsider, noun, { tags: [tag] })).tags).toMatchObject([tag]);
  });

  it('can be attached again after they are detached or their row is deleted', async () => {
    const organization = await world.organization();
    const tag = { tag_type: 'ble', value: 'AA:BB' };
    const first = await create(organization, noun, { tags: [tag] });
    await remove(organization, noun, first.id);
    const second = await createAsset(organization, { tags: [tag] });
    await organization.delete(`${nouns.assets.path}/${second.id}/tags/${second.tags[0]?.id}`);
    const third = await create(organization, noun, { tags: [tag] });
    expect(third.tags).toMatchObject([tag]);
    const [deleted] = (await organization.get(`${noun.path}?include_deleted=true&external_key=${first.external_key}`))
      .body.data;
    expect(deleted.tags).toEqual(first.tags);
  });

  it('cannot be attached to or detached from a deleted row', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { tags: [{ tag_type: 'ble', value: 'x' }] });
    await remove(organization, noun, row.id);
    expect(await organization.delete(`${noun.path}/${row.id}/tags/${row.tags[0]?.id}`)).toBeError(rowMissing);
    expect(await organization.post(`${noun.path}/${row.id}/tags`, { tag_type: 'ble', value: 'y' })).toBeError(
      rowMissing,
    );
  });

  it('keep their values as sent', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    const values = [
      'a',
      ' ',
      ' a ',
      'a\tb\nc\rd',
      '\n',
      'x'.repeat(255),
      '😀'.repeat(255),
      '%_\\',
      'É',
      'null',
      '\u00a0',
      '\u0085',
      '0',
      '\uffff',
    ];
    for (const value of values) {
      const answer = await organization.post(`${noun.path}/${id}/tags`, { tag_type: 'rfid', value });
      expect(answer.body.data?.value, answer.text).toBe(value);
    }
    expect(new Set((await read(organization, noun, id)).tags.map(({ value }) => value))).toEqual(new Set(values));
  });

  it('are rejected if their type or value is invalid', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const attach = (body: Record<string, unknown>) => organization.post(`${noun.path}/${row.id}/tags`, body);
    const type = 'tag_type';
    const required = { field: type, code: 'required', message: 'tag_type is required' };
    expect(await attach({ value: 'v' })).toBeInvalid(required);
    expect(await attach({ tag_type: null, value: 'v' })).toBeInvalid(required);
    for (const wrong of ['nfc', 'RFID', 'Rfid', '', ' rfid', 'rfid ', '__proto__', 'a\u0000b']) {
      expect(await attach({ tag_type: wrong, value: 'v' }), wrong).toBeInvalid({
        field: type,
        code: 'invalid_value',
        message: 'tag_type must be one of: rfid, ble, barcode',
        params: { allowed_values: ['rfid', 'ble', 'barcode'] },
      });
    }
    for (const [wrong, received] of [
      [1, 'number'],
      [true, 'boolean'],
      [[], 'array'],
      [{}, 'object'],
    ] as const) {
      const params = { expected_type: 'string', received_type: received };
      const entry = (field: string) => ({
        field,
        code: 'invalid_value',
        message: `${field} must be string; received ${received}`,
        params,
      });
      expect(await attach({ tag_type: wrong, value: wrong })).toBeInvalid(entry(type), entry('value'));
    }
    expect(await attach({ tag_type: 'rfid' })).toBeInvalid({
      field: 'value',
      code: 'required',
      message: 'value is required',
    });
    expect(await attach({ tag_type: 'rfid', value: null })).toBeInvalid({ field: 'value', code: 'invalid_value' });
    expect(await attach({ tag_type: 'rfid', value: '' })).toBeInvalid({
      field: 'value',
      code: 'too_short',
      message: 'value must be at least 1 character(s)',
      params: { min_length: 1 },
    });
    for (const long of ['x'.repeat(256), '😀'.repeat(256)]) {
      expect(await attach({ tag_type: 'rfid', value: long })).toBeInvalid({
        field: 'value',
        code: 'too_long',
        message: 'value must be at most 255 characters',
        params: { max_length: 255 },
      });
    }
    for (const wrong of ['\u0001', 'a\u0008', '\u000b', '\u000c', '\u001f', '\u007f']) {
      expect(await attach({ tag_type: 'rfid', value: wrong })).toBeInvalid({
        field: 'value',
        code: 'invalid_value',
        message: /^value must match /,
      });
    }
    for (const wrong of ['\u0000', 'a\ud800']) {
      const message = 'value contains a character that cannot be stored';
      expect(await attach({ tag_type: 'rfid', value: wrong })).toBeInvalid({
        field: 'value',
        code: 'invalid_value',
        message,
      });
    }
    expect(await attach({ value: '', color: 1, id: 2 })).toBeInvalid(
      { field: 'color', code: 'unknown_field' },
      { field: 'id', code: 'unknown_field' },
    );
    expect(await attach({})).toBeInvalid({ field: type, code: 'required' }, { field: 'value', code: 'required' });
    expect(await read(organization, noun, row.id)).toEqual(row);
  });
});
