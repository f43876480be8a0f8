import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, nouns, read, withKey } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';
import { loneSurrogates, mustMatch, nul, type Rule, tooLong, tooShort, unstorable } from './field-rules.js';

const world = await sharedWorld();

const namePattern = String.raw`^\S(?:[^\x00-\x1F\x7F]*\S)?$`;
const textPattern = String.raw`^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$`;
const keyPattern = '^[A-Za-z0-9-]+$';

/** What is rejected of a text, on create and on patch alike. */
const refusedTexts: [field: string, values: string[], rule: Rule][] = [
  ['name', [''], tooShort('name', 1)],
  ['name', ['x'.repeat(256), '😀'.repeat(256), 'x'.repeat(100_000)], tooLong('name', 255)],
  [
    'name',
    [
      ' ',
      ' a',
      'a ',
      '\ta',
      'a\n',
      'a\tb',
      'a\rb',
      'a\u001fb',
      'a\u007fb',
      '\u007f',
      '\u00a0a',
      'a\u3000',
      '\ufeffa',
      'a\u2028',
      'a\u2009',
      '\u1680',
      '\u0001',
      'a\u0001',
      '\u0001a',
      'a\u0008',
      '\u001fa',
      '\u007fa',
    ],
    mustMatch('name', namePattern),
  ],
  ['name', [`a${nul}b`, nul, ...loneSurrogates], unstorable('name')],
  ['description', [''], tooShort('description', 1)],
  ['description', ['x'.repeat(1025), '😀'.repeat(1025)], tooLong('description', 1024)],
  [
    'description',
    ['a\u0001', '\u0008', '\u000b', '\u000c', '\u000e', '\u001f', 'a\u007f'],
    mustMatch('description', textPattern),
  ],
  ['description', [nul, `a${nul}`, ...loneSurrogates], unstorable('description')],
];

const acceptedTexts: [field: string, values: (string | null)[]][] = [
  [
    'name',
    [
      'x',
      'a b',
      'a  b',
      'x'.repeat(255),
      '😀'.repeat(255),
      'É',
      '名前',
      'a\u0085b',
      '\u0085',
      "Robert'); DROP TABLE assets;--",
      '\\',
      '"',
      'a\u00a0b',
      '\u200b',
    ],
  ],
  ['description', ['x', ' ', ' a ', 'a\tb\nc\r\nd', '\n', 'x'.repeat(1024), '😀'.repeat(1024), 'null', null]],
];

/** What is rejected of a key, wherever one is written. */
const refusedKeys: [values: string[], rule: Rule][] = [
  [['', ' ', '   ', '\t', '\n', '\u00a0', '\u3000', '\ufeff'], tooShort('external_key', 1)],
  [['x'.repeat(256), 'x'.repeat(10_000)], tooLong('external_key', 255)],
  [
    ['a.b', 'a_b', 'a b', 'a/b', 'a:b', 'é', 'a\n', '\na', ' a', 'a ', 'ａ', '1+1', '😀', 'a,b', '%', '*', 'a\u007f'],
    mustMatch('external_key', keyPattern),
  ],
  [[nul, `a${nul}`, ...loneSurrogates], unstorable('external_key')],
];

const acceptedKeys = ['a', '-', '--', '0', 'AB-1', 'ab-1', '-a-', '9'.repeat(255), 'null', 'constructor'];

describe.each(bothNouns)('the text fields of a $noun', (noun) => {
  it('reject invalid text on create', async () => {
    const organization = await world.organization();
    for (const [field, values, rule] of refusedTexts) {
      for (const value of values) {
        const answer = await organization.post(noun.path, { name: 'n', [field]: value });
        expect(answer, JSON.stringify(value.slice(0, 20))).toBeInvalid({ field, ...rule });
      }
    }
    expect((await organization.get(noun.path)).body.total_count).toBe(0);
  });

  it('reject invalid text on patch', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    for (const [field, values, rule] of refusedTexts) {
      for (const value of values) {
        expect(await organization.patch(`${noun.path}/${row.id}`, { [field]: value })).toBeInvalid({ field, ...rule });
      }
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
  });

  it('keep accepted text as it was sent', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    for (const [field, values] of acceptedTexts) {
      for (const value of values) {
        const made = await organization.post(noun.path, { name: 'n', [field]: value });
        expect(made.body.data?.[field], made.text).toBe(value);
        const changed = await organization.patch(`${noun.path}/${id}`, { [field]: value });
        expect(changed.body.data?.[field], changed.text).toBe(value);
        expect(await read(organization, noun, id)).toMatchObject({ [field]: value });
      }
    }
  });

  it('validate keys on create, on rename and on patch', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    for (const [values, rule] of refusedKeys) {
      for (const key of values) {
        const body = { external_key: key };
        const label = JSON.stringify(key.slice(0, 20));
        expect(await organization.post(noun.path, { name: 'n', ...body }), label).toBeInvalid({
          field: 'external_key',
          ...rule,
        });
        expect(await organization.post(`${noun.path}/${row.id}/rename`, body), label).toBeInvalid({
          field: 'external_key',
          ...rule,
        });
        expect(await organization.patch(`${noun.path}/${row.id}`, body), label).toBeInvalid({
          field: 'external_key',
          ...rule,
        });
      }
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
    for (const key of acceptedKeys) {
      const made = await organization.post(noun.path, { name: 'n', external_key: key });
      expect(made.body.data?.external_key, made.text).toBe(key);
    }
  });
});

describe('metadata', () => {
  it('rejects NUL and lone surrogates in keys and values', async () => {
    const organization = await world.organization();
    const row = await create(organization, nouns.assets, { metadata: { kept: true } });
    for (const flaw of [nul, ...loneSurrogates]) {
      for (const metadata of [
        { a: flaw },
        { [flaw]: 1 },
        { a: [{ b: ['x', flaw] }] },
        { a: { [`x${flaw}`]: null } },
        withKey({}, '__proto__', { [flaw]: 1 }),
      ]) {
        const expected = { field: 'metadata', ...unstorable('metadata') };
        expect(await organization.post(nouns.assets.path, { name: 'n', metadata })).toBeInvalid(expected);
        expect(await organization.patch(`${nouns.assets.path}/${row.id}`, { metadata })).toBeInvalid(expected);
      }
    }
    expect(await read(organization, nouns.assets, row.id)).toEqual(row);
  });
});
