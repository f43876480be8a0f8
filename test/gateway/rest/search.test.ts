import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, remove, type Row } from '../../support/factories.js';
import type { RestClient } from '../../support/rest-client.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

describe.each(bothNouns)('searching for a $noun', (noun) => {
  async function search(client: RestClient, q: string, more = ''): Promise<string[]> {
    const answer = await client.get(`${noun.path}?q=${encodeURIComponent(q)}${more}`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.total_count).toBe(answer.body.data.length);
    return answer.body.data.map((row: Row) => row.external_key);
  }

  it('searches the name, key, description and tag values', async () => {
    const organization = await world.organization();
    const rows = [
      { external_key: 'A', name: 'needle in name' },
      { external_key: 'B-needle', name: 'x' },
      { external_key: 'C', name: 'x', description: 'first\na needle' },
      {
        external_key: 'D',
        name: 'x',
        tags: [
          { tag_type: 'ble', value: 'other' },
          { tag_type: 'rfid', value: 'xneedlex' },
        ],
      },
      { external_key: 'E', name: 'needle', description: 'needle', tags: [{ tag_type: 'ble', value: 'needle' }] },
      { external_key: 'F', name: 'need', description: 'le' },
    ];
    for (const row of rows) await create(organization, noun, row);
    expect(await search(organization, 'needle')).toEqual(['A', 'B-needle', 'C', 'D', 'E']);
    expect(await search(organization, 'n')).toContain('F');
    expect(await search(organization, 'ne')).toEqual(['A', 'B-needle', 'C', 'D', 'E', 'F']);
    expect(await search(organization, 'needle', '&limit=200&sort=-external_key')).toEqual([
      'E',
      'D',
      'C',
      'B-needle',
      'A',
    ]);
    const page = await organization.get(`${noun.path}?q=needle&limit=2&offset=1`);
    expect(page.body).toMatchObject({ total_count: 5, data: [{ external_key: 'B-needle' }, { external_key: 'C' }] });
    const beyond = await organization.get(`${noun.path}?q=needle&offset=9`);
    expect(beyond.body).toMatchObject({ total_count: 5, data: [] });
  });

  it('never matches text that spans two fields', async () => {
    const organization = await world.organization();
    await create(organization, noun, {
      external_key: 'KEY',
      name: 'name',
      description: 'text',
      tags: [{ tag_type: 'ble', value: 'value' }],
    });
    for (const q of [
      'namekey',
      'name key',
      'keytext',
      'key text',
      'nametext',
      'textvalue',
      'name\u00a0key',
      'name\u0085key',
      'e k',
      'y t',
    ]) {
      expect(await search(organization, q), q).toEqual([]);
    }
  });

  it('ignores case in every script', async () => {
    const organization = await world.organization();
    const names = {
      LATIN: 'Éclair GROẞ',
      GREEK: 'ΑΘΗΝΑ',
      CYRILLIC: 'Ёлка',
      TURKISH: 'ILGAZ',
      ARMENIAN: 'ԵՐԵՎԱՆ',
      WIDE: 'ＡＢＣ',
      DESERET: '𐐀𐐁',
    };
    for (const [external_key, name] of Object.entries(names)) await create(organization, noun, { external_key, name });
    for (const [key, queries] of Object.entries({
      LATIN: ['éclair', 'ÉCLAIR', 'É', 'é', 'éCL', 'groß'],
      GREEK: ['αθηνα', 'Αθηνα', 'θ'],
      CYRILLIC: ['ёЛКА', 'Ё', 'ё'],
      TURKISH: ['ilgaz', 'Ilgaz'],
      ARMENIAN: ['երեվան'],
      WIDE: ['ａｂｃ'],
      DESERET: ['𐐨𐐩', '𐐨'],
    })) {
      for (const q of queries) expect(await search(organization, q), q).toEqual([key]);
    }
    expect(await search(organization, 'Eclair')).toEqual([]);
    const tagged = await create(organization, noun, {
      external_key: 'TAGGED',
      tags: [{ tag_type: 'barcode', value: 'ÀÉÎ-abc' }],
    });
    for (const q of ['àéî', 'ÀÉÎ-ABC', 'é']) expect(await search(organization, q)).toContain(tagged.external_key);
  });

  it('treats every character literally', async () => {
    const organization = await world.organization();
    const names = {
      PERCENT: '100% wool',
      UNDERSCORE: 'a_b',
      BACKSLASH: String.raw`C:\dir\%x`,
      QUOTE: `it's "quoted"`,
      STARS: 'a.*[b]?(c)|^$+{1}',
      PLAIN: 'axb 100 wool',
      SPACES: 'two  spaces',
      EMOJI: 'x😀y',
    };
    for (const [external_key, name] of Object.entries(names)) await create(organization, noun, { external_key, name });
    for (const [q, keys] of Object.entries({
      '%': ['BACKSLASH', 'PERCENT'],
      '0%': ['PERCENT'],
      '100%wool': [],
      '100% wool': ['PERCENT'],
      _: ['UNDERSCORE'],
      a_b: ['UNDERSCORE'],
      '\\': ['BACKSLASH'],
      '\\%': ['BACKSLASH'],
      '\\\\': [],
      "'": ['QUOTE'],
      "t's": ['QUOTE'],
      '"': ['QUOTE'],
      '.*': ['STARS'],
      '[b]': ['STARS'],
      '^$': ['STARS'],
      '  ': ['SPACES'],
      'o  s': ['SPACES'],
      '😀': ['EMOJI'],
      "' OR 1=1 --": [],
      '%%': [],
      __: [],
    })) {
      expect(await search(organization, q), q).toEqual(keys);
    }
  });

  it('finds text of any length at any position', async () => {
    const organization = await world.organization();
    const alphabet = Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    await create(organization, noun, { external_key: 'LONG', name: 'x', description: alphabet });
    await create(organization, noun, { external_key: 'PARTS', name: 'abcd bcde cdef', description: 'ef' });
    await create(organization, noun, { external_key: 'WHOLE', name: 'xabcdef' });
    for (const [start, length] of [
      [0, 1],
      [0, 255],
      [60, 5],
      [61, 4],
      [63, 2],
      [64, 64],
      [100, 255],
      [397, 3],
      [399, 1],
    ] as const) {
      expect(await search(organization, alphabet.slice(start, start + length)), `${start}, ${length}`).toEqual([
        'LONG',
      ]);
    }
    expect(await search(organization, `${alphabet.slice(0, 100)}${alphabet.slice(101, 200)}`)).toEqual([]);
    expect(await search(organization, 'abcde')).toEqual(['WHOLE']);
    expect(await search(organization, 'abcd')).toEqual(['PARTS', 'WHOLE']);
    expect(await search(organization, 'f')).toEqual(['PARTS', 'WHOLE']);
  });

  it('does not match text that occurs only in separate parts', async () => {
    const organization = await world.organization();
    await create(organization, noun, { external_key: 'APART', name: '7890 123456 3456-5678 7890' });
    await create(organization, noun, {
      external_key: 'WHOLE',
      name: 'x',
      tags: [{ tag_type: 'rfid', value: '1234567890' }],
    });
    for (const q of ['1234567890', '23456789', '1234567']) expect(await search(organization, q), q).toEqual(['WHOLE']);
    expect(await search(organization, '123456')).toEqual(['APART', 'WHOLE']);
  });

  it('finds letters whose lowercase form is longer', async () => {
    const organization = await world.organization();
    await create(organization, noun, { external_key: 'FOUR', name: 'İİİİ' });
    await create(organization, noun, { external_key: 'THREE', name: 'İİİ' });
    expect(await search(organization, 'İİİİ')).toEqual(['FOUR']);
    expect(await search(organization, 'İİ')).toEqual(['FOUR', 'THREE']);
    expect(await search(organization, 'i\u0307')).toEqual(['FOUR', 'THREE']);
  });

  it('finds deleted rows in any script only with include_deleted', async () => {
    const organization = await world.organization();
    await create(organization, noun, { external_key: 'LIVE', name: '倉庫一' });
    const { id } = await create(organization, noun, { external_key: 'GONE', name: '倉庫二' });
    await remove(organization, noun, id);
    for (const q of ['倉', '倉庫', 'e', '倉庫二']) {
      expect(await search(organization, q, '&include_deleted=true'), q).toContain('GONE');
      expect(await search(organization, q), q).not.toContain('GONE');
    }
  });

  it('does not find detached tags or deleted rows', async () => {
    const organization = await world.organization();
    const tags = [
      { tag_type: 'ble', value: 'first-tag' },
      { tag_type: 'ble', value: 'second-tag' },
    ];
    const row = await create(organization, noun, { external_key: 'ROW', name: 'kept', tags });
    const detached = row.tags.find((tag) => tag.value === 'first-tag');
    await organization.delete(`${noun.path}/${row.id}/tags/${detached?.id}`);
    expect(await search(organization, 'first-tag')).toEqual([]);
    expect(await search(organization, 'second-tag')).toEqual(['ROW']);
    await remove(organization, noun, row.id);
    for (const q of ['second-tag', 'kept', 'ROW']) expect(await search(organization, q)).toEqual([]);
    expect(await search(organization, 'kept', '&include_deleted=true')).toEqual(['ROW']);
    expect(await search(organization, 'second-tag', '&include_deleted=true')).toEqual([]);
  });

  it('reflects changes to the row', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun, {
      external_key: 'OLDKEY',
      name: 'oldname',
      description: 'olddesc',
    });
    await organization.patch(`${noun.path}/${id}`, { name: 'newname', description: null });
    await organization.post(`${noun.path}/${id}/rename`, { external_key: 'NEWKEY' });
    await organization.post(`${noun.path}/${id}/tags`, { tag_type: 'ble', value: 'newtag' });
    for (const q of ['oldname', 'oldkey', 'olddesc']) expect(await search(organization, q)).toEqual([]);
    for (const q of ['newname', 'newkey', 'newtag']) expect(await search(organization, q)).toEqual(['NEWKEY']);
  });

  it('combines with the other filters', async () => {
    const organization = await world.organization();
    await create(organization, noun, { external_key: 'A', name: 'match', is_active: false });
    await create(organization, noun, { external_key: 'B', name: 'match' });
    await create(organization, noun, { external_key: 'C', name: 'other' });
    expect(await search(organization, 'match', '&is_active=false')).toEqual(['A']);
    expect(await search(organization, 'match', '&external_key=B&external_key=C')).toEqual(['B']);
    expect(await search(organization, 'match', '&is_active=false&external_key=B')).toEqual([]);
  });

  it('accepts one text of 1 to 255 characters without control characters', async () => {
    const organization = await world.organization();
    const ask = (raw: string) => organization.get(`${noun.path}?q=${raw}`);
    expect(await ask('')).toBeInvalid({
      field: 'q',
      code: 'too_short',
      message: 'q must be at least 1 character(s)',
      params: { min_length: 1 },
    });
    expect((await ask('x'.repeat(255))).status).toBe(200);
    expect((await ask(encodeURIComponent('😀'.repeat(255)))).status).toBe(200);
    for (const long of ['x'.repeat(256), encodeURIComponent('😀'.repeat(256))]) {
      expect(await ask(long)).toBeInvalid({
        field: 'q',
        code: 'too_long',
        message: 'q must be at most 255 characters',
        params: { max_length: 255 },
      });
    }
    for (const raw of [
      '%00',
      'a%00b',
      '%01',
      '%09',
      '%0A',
      'a%0Db',
      '%1F',
      '%7F',
      '%ED%A0%80',
      '%FF',
      '%C0%AF',
      '%',
      '%G1',
      '%E2%82',
    ]) {
      expect(await ask(raw), raw).toBeInvalid({ field: 'q', code: 'invalid_value' });
    }
    expect(await ask('a&q=b')).toBeInvalid({ field: 'q', code: 'invalid_value' });
    const plus = await create(organization, noun, { name: 'a b+c' });
    for (const raw of ['a+b', 'a%20b', 'b%2Bc']) expect((await ask(raw)).body.data).toMatchObject([{ id: plus.id }]);
  });
});
