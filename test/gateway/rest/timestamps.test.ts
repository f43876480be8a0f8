import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, createAsset, nouns, read } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

/** What is sent, and how the same instant is returned. */
const accepted: [sent: string, read: string][] = [
  ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
  ['2024-01-02T03:04:05.1Z', '2024-01-02T03:04:05.100Z'],
  ['2024-01-02T03:04:05.12Z', '2024-01-02T03:04:05.120Z'],
  ['2024-01-02T03:04:05.123Z', '2024-01-02T03:04:05.123Z'],
  ['2024-01-02T03:04:05.1239Z', '2024-01-02T03:04:05.123Z'],
  ['2024-01-02T03:04:05.12399Z', '2024-01-02T03:04:05.123Z'],
  ['2024-01-02T03:04:05.123999Z', '2024-01-02T03:04:05.123Z'],
  ['2024-01-02T03:04:05.1239999Z', '2024-01-02T03:04:05.123Z'],
  ['2024-01-02T03:04:05.12399999Z', '2024-01-02T03:04:05.123Z'],
  ['2024-01-02T03:04:05.999999999Z', '2024-01-02T03:04:05.999Z'],
  ['2024-01-02T03:04:05.000000001Z', '2024-01-02T03:04:05.000Z'],
  ['2024-01-02t03:04:05z', '2024-01-02T03:04:05.000Z'],
  ['2024-01-02t03:04:05.5+01:00', '2024-01-02T02:04:05.500Z'],
  ['2024-01-02T03:04:05+00:00', '2024-01-02T03:04:05.000Z'],
  ['2024-01-02T03:04:05-00:00', '2024-01-02T03:04:05.000Z'],
  ['2024-01-02T03:04:05+05:45', '2024-01-01T21:19:05.000Z'],
  ['2024-01-02T03:04:05-23:59', '2024-01-03T03:03:05.000Z'],
  ['2024-01-02T03:04:05+23:59', '2024-01-01T03:05:05.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29T23:59:59Z', '2000-02-29T23:59:59.000Z'],
  ['2023-12-31T23:59:59-00:01', '2024-01-01T00:00:59.000Z'],
  // Digits are dropped from the text, before 1970 as well.
  ['1969-12-31T23:59:58.9999Z', '1969-12-31T23:59:58.999Z'],
  ['1969-12-31T23:59:58.1239Z', '1969-12-31T23:59:58.123Z'],
  ['1969-12-31T23:59:59.9989Z', '1969-12-31T23:59:59.998Z'],
  ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ['1960-01-01T00:00:00.0001Z', '1960-01-01T00:00:00.000Z'],
  ['1960-01-01T00:00:00.001Z', '1960-01-01T00:00:00.001Z'],
  ['1960-01-01T00:00:00.001000000Z', '1960-01-01T00:00:00.001Z'],
  ['1959-12-31T23:59:59.999000001Z', '1959-12-31T23:59:59.999Z'],
  ['1970-01-01T00:00:00.001Z', '1970-01-01T00:00:00.001Z'],
  ['1970-01-01T00:00:00.001999999Z', '1970-01-01T00:00:00.001Z'],
  ['1900-01-01T12:30:30.123456Z', '1900-01-01T12:30:30.123Z'],
  ['0001-01-01T00:00:00.001Z', '0001-01-01T00:00:00.001Z'],
  ['0000-12-31T23:59:59.999Z', '0000-12-31T23:59:59.999Z'],
  ['0099-03-01T00:00:00Z', '0099-03-01T00:00:00.000Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00.000Z'],
  ['0000-01-01T00:00:00-00:01', '0000-01-01T00:01:00.000Z'],
  ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31T23:59:59+00:01', '9999-12-31T23:58:59.000Z'],
  ['9999-12-31T00:00:00.001Z', '9999-12-31T00:00:00.001Z'],
];

const noTimestamp = [
  '',
  ' ',
  'now',
  'null',
  '0',
  '1704164645',
  '2024-01-02',
  '2024/01/02',
  '2024/01/02T03:04:05Z',
  '20240102T030405Z',
  '2024-01-02T03:04:05',
  '2024-01-02T03:04Z',
  '2024-01-02T03Z',
  '2024-01-02 03:04:05Z',
  '2024-01-02_03:04:05Z',
  '2024-01-02T03:04:05 Z',
  ' 2024-01-02T03:04:05Z',
  '2024-01-02T03:04:05Z ',
  '2024-01-02T03:04:05Z\n',
  '2024-01-02T03:04:05.Z',
  '2024-01-02T03:04:05,123Z',
  '2024-01-02T03:04:05.1234567890Z',
  '2024-01-02T03:04:05.12a4Z',
  '2024-01-02T03:04:05+0200',
  '2024-01-02T03:04:05+02',
  '2024-01-02T03:04:05+2:00',
  '2024-01-02T03:04:05+24:00',
  '2024-01-02T03:04:05+02:60',
  '2024-01-02T03:04:05+99:99',
  '2024-01-02T03:04:05\u221202:00',
  '2024-01-02T03:04:05ZZ',
  '2024-01-02T03:04:05Z+00:00',
  '2024-01-02T03:04:05UTC',
  '2024-1-2T03:04:05Z',
  '24-01-02T03:04:05Z',
  '2024-00-02T03:04:05Z',
  '2024-13-02T03:04:05Z',
  '2024-01-00T03:04:05Z',
  '2024-01-32T03:04:05Z',
  '2024-02-30T03:04:05Z',
  '2024-04-31T03:04:05Z',
  '2023-02-29T03:04:05Z',
  '1900-02-29T03:04:05Z',
  '2100-02-29T00:00:00Z',
  '2024-01-02T24:00:00Z',
  '2024-01-02T03:60:05Z',
  '2016-12-31T23:59:60Z',
  '2024-01-02T03:04:60Z',
  '2024-W01-2T03:04:05Z',
  '-2024-01-02T03:04:05Z',
  '+2024-01-02T03:04:05Z',
  '+002024-01-02T03:04:05Z',
  '10000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+00:01',
  '0000-01-01T05:00:00.999+05:01',
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T23:00:00-01:00',
  '٢٠٢٤-٠١-٠٢T٠٣:٠٤:٠٥Z',
  'Tue, 02 Jan 2024 03:04:05 GMT',
  '2024-01-02T03:04:05Z\u0000',
];

/** The two sentinels by exact instant, through offsets and after truncation. */
const sentinels = [
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00.000Z',
  '0001-01-01t00:00:00.000000000z',
  '0001-01-01T05:30:00+05:30',
  '0000-12-31T23:00:00-01:00',
  '0000-12-31T00:01:00-23:59',
  '1970-01-01T00:00:00Z',
  '1970-01-01t00:00:00.0z',
  '1970-01-01T00:00:00-00:00',
  '1970-01-01T01:00:00+01:00',
  '1969-12-31T19:00:00-05:00',
  '1970-01-01T23:59:00.000999999+23:59',
  '1970-01-01T00:00:00.000999Z',
];

const writable = ['valid_from', 'valid_to'];
const readOnly = ['created_at', 'updated_at', 'deleted_at'];

function sentinelMessage(field: string, raw: string): string {
  return `${field} must not be a default-value sentinel (${raw}); omit the field or send a real timestamp`;
}

describe.each(bothNouns)('the timestamps of a $noun', (noun) => {
  it('are accepted in every RFC 3339 form and returned in one', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    for (const [sent, expected] of accepted) {
      const both = { valid_from: sent, valid_to: sent };
      const answer = await organization.patch(`${noun.path}/${id}`, both);
      expect(answer.body.data, `${sent} ${answer.text}`).toMatchObject({ valid_from: expected, valid_to: expected });
      expect(await read(organization, noun, id)).toMatchObject({ valid_from: expected, valid_to: expected });
      expect(await create(organization, noun, both)).toMatchObject({ valid_from: expected, valid_to: expected });
    }
  });

  it('are rejected in every other form', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const refused = (field: string) => ({
      field,
      code: 'invalid_value',
      message: `${field} must be an RFC 3339 timestamp`,
    });
    for (const raw of noTimestamp) {
      const both = { valid_from: raw, valid_to: raw };
      const expected = writable.map(refused);
      expect(await organization.post(noun.path, { name: 'n', ...both }), JSON.stringify(raw)).toBeInvalid(...expected);
      const all = { deleted_at: raw, created_at: raw, updated_at: raw, ...both };
      expect(await organization.patch(`${noun.path}/${row.id}`, all)).toBeInvalid(
        ...expected,
        ...readOnly.map(refused),
      );
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
  });

  it('are rejected if they are sentinel values', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const refused = (raw: string) => (field: string) => ({
      field,
      code: 'invalid_value',
      message: sentinelMessage(field, raw),
    });
    for (const raw of sentinels) {
      const both = { valid_from: raw, valid_to: raw };
      const expected = writable.map(refused(raw));
      expect(await organization.post(noun.path, { name: 'n', ...both }), raw).toBeInvalid(...expected);
      const all = { ...both, deleted_at: raw, created_at: raw, updated_at: raw };
      expect(await organization.patch(`${noun.path}/${row.id}`, all)).toBeInvalid(
        ...expected,
        ...readOnly.map(refused(raw)),
      );
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
  });

  it('are all returned in UTC with milliseconds', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { valid_to: '2999-01-01T00:00:00+05:00' });
    const before = Date.now();
    await organization.delete(`${noun.path}/${row.id}`);
    const [deleted] = (await organization.get(`${noun.path}?include_deleted=true`)).body.data;
    for (const field of ['valid_from', 'valid_to', 'created_at', 'updated_at', 'deleted_at']) {
      expect(deleted[field], field).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    }
    expect(Math.abs(Date.parse(deleted.deleted_at) - before)).toBeLessThan(60_000);
    expect(Math.abs(Date.parse(deleted.created_at) - before)).toBeLessThan(60_000);
  });
});

describe('the bounds of a history', () => {
  it.each(['from', 'to'])('reject an invalid timestamp or a sentinel value in %s', async (field) => {
    const organization = await world.organization();
    const { id } = await createAsset(organization);
    const ask = (raw: string) =>
      organization.get(`${nouns.assets.path}/${id}/history?${field}=${encodeURIComponent(raw)}`);
    for (const raw of noTimestamp) {
      const message = `${field} must be an RFC 3339 timestamp`;
      expect(await ask(raw), raw).toBeInvalid({ field, code: 'invalid_value', message });
    }
    for (const raw of sentinels) {
      expect(await ask(raw), raw).toBeInvalid({ field, code: 'invalid_value', message: sentinelMessage(field, raw) });
    }
    for (const [raw] of accepted) expect((await ask(raw)).status, raw).toBe(200);
  });

  it('accept a plus sign only if it is escaped', async () => {
    const organization = await world.organization();
    const { id } = await createAsset(organization);
    const ask = (raw: string) => organization.get(`${nouns.assets.path}/${id}/history?from=${raw}`);
    expect(await ask('2024-01-02T03:04:05+01:00')).toBeInvalid({ field: 'from', code: 'invalid_value' });
    expect((await ask('2024-01-02T03:04:05%2B01:00')).status).toBe(200);
  });
});
