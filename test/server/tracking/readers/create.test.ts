import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readerFormats } from '../../../../server/tracking/readers/formats.js';
import { refusalOf } from '../../../support/caller.js';
import { type AppCaller, sharedScanWorld } from '../../../support/scan-world.js';

const world = await sharedScanWorld();

type NewReader = Parameters<AppCaller['readers']['create']>[0];

describe('readers.create', () => {
  it('answers with the password, once, and stores its hash alone', async () => {
    const org = await world.organization();
    const reader = await org.admin.readers.create({ name: 'Dock 1', format: 'csl_cs463' });
    expect(reader).toEqual({
      id: expect.any(Number),
      name: 'Dock 1',
      format: 'csl_cs463',
      mapping: null,
      time_unit: null,
      tag_type: null,
      location_id: null,
      antennas: [],
      mqtt_username: expect.stringMatching(/^[a-z2-9]{12}$/),
      mqtt_password: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      publish_topic: `readers/${reader.mqtt_username}/reads`,
      more_topics: [],
      resolution_seconds: 60,
      use_receipt_time: false,
      count_private_addresses: false,
      location_rule: 'evidence',
      clock_offset_ms: 0,
      last_message_at: null,
      last_connected_at: null,
      last_refused_at: null,
      last_refusal_reason: null,
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: reader.created_at,
    });
    const stored = await world.db.reader.findUniqueOrThrow({ where: { id: reader.id } });
    expect(stored.secretHash).toBe(createHash('sha256').update(reader.mqtt_password).digest('hex'));
    expect(JSON.stringify(Object.values(stored).map(String))).not.toContain(reader.mqtt_password);
    const { mqtt_password: _, ...listed } = reader;
    expect(await org.admin.readers.list()).toEqual({ data: [listed], limit: 50, offset: 0, total_count: 1 });
  });

  it('takes every setting', async () => {
    const org = await world.organization();
    const [dock, shelf] = [await org.location(), await org.location()];
    const settings = {
      name: 'Gate',
      format: 'mapped',
      location_id: dock,
      antennas: [
        { port: 4, location_id: shelf, min_rssi_dbm: -70, kind: 'portal' },
        { port: 2, location_id: null, min_rssi_dbm: null, kind: 'zone' },
      ],
      publish_topic: 'site/+/reads/#',
      resolution_seconds: 0,
      use_receipt_time: true,
      count_private_addresses: true,
      location_rule: 'newest',
      mapping: { list: 'data.tags', value: 'epc', antenna: 'ant', rssi: 'rssi', time: 'ts' },
      time_unit: 'ms',
      tag_type: 'ble',
    } satisfies NewReader;
    const created = await org.admin.readers.create(settings);
    expect(created).toMatchObject({ ...settings, antennas: settings.antennas.toReversed() });
  });

  it.each<[Partial<NewReader>, object]>([
    [{}, { format: 'auto', location_rule: 'evidence' }],
    [{ antennas: [{ port: 3 }] }, { antennas: [{ port: 3, location_id: null, min_rssi_dbm: null, kind: 'zone' }] }],
    [
      { format: 'mapped', mapping: { value: 'epc' } },
      { time_unit: 'rfc3339', tag_type: 'rfid' },
    ],
  ])('fills in what was left out of %j', async (given, expected) => {
    const org = await world.organization();
    expect(await org.admin.readers.create({ name: 'Any', ...given })).toMatchObject(expected);
  });

  it('rejects locations that are deleted, missing or another organization’s, and stores nothing', async () => {
    const org = await world.organization();
    const deleted = await org.location();
    await org.deleteLocation(deleted);
    const foreign = await (await world.organization()).location();
    const own = await org.location();
    const call = org.admin.readers.create({
      name: 'Dock',
      location_id: foreign,
      antennas: [
        { port: 1, location_id: own },
        { port: 2, location_id: deleted },
      ],
    });
    const detail = `location_id ${foreign} not found`;
    expect(await refusalOf(call)).toEqual({
      type: 'validation_error',
      detail: `${detail} (and 1 more validation error)`,
      fields: [
        { field: 'location_id', code: 'fk_not_found', message: detail },
        {
          field: 'location_id',
          code: 'fk_not_found',
          message: `location_id ${deleted} not found`,
          params: { path: 'antennas[1].location_id' },
        },
      ],
    });
    expect((await org.admin.readers.list()).total_count).toBe(0);
  });

  it.each([
    [{ name: undefined }, 'name', 'required'],
    [{ name: '' }, 'name', 'too_short'],
    [{ name: ' x' }, 'name', 'invalid_value'],
    [{ format: 'xml' }, 'format', 'invalid_value'],
    [{ format: null }, 'format', 'invalid_value'],
    [{ format: 'mapped' }, 'mapping', 'required'],
    [{ format: 'mapped', mapping: null }, 'mapping', 'required'],
    [{ format: 'mapped', mapping: {} }, 'value', 'required'],
    [{ format: 'mapped', mapping: { value: 'a..b' } }, 'value', 'invalid_value'],
    [{ format: 'mapped', mapping: { value: 'a', list: 5 } }, 'list', 'invalid_value'],
    [{ format: 'mapped', mapping: { value: 'a', color: 'b' } }, 'color', 'unknown_field'],
    [{ format: 'mapped', mapping: [] }, 'mapping', 'invalid_value'],
    [{ format: 'mapped', mapping: { value: 'a' }, time_unit: 'ns' }, 'time_unit', 'invalid_value'],
    [{ mapping: { value: 'a' } }, 'mapping', 'invalid_context'],
    [{ tag_type: 'ble' }, 'tag_type', 'invalid_context'],
    [{ location_id: 'x' }, 'location_id', 'invalid_value'],
    [{ antennas: {} }, 'antennas', 'invalid_value'],
    [{ antennas: [1] }, 'antennas', 'invalid_value'],
    [{ antennas: [{}] }, 'port', 'required'],
    [{ antennas: [{ port: -1 }] }, 'port', 'too_small'],
    [{ antennas: [{ port: 1 }, { port: 1 }] }, 'port', 'invalid_value'],
    [{ antennas: [{ port: 1, min_rssi_dbm: -201 }] }, 'min_rssi_dbm', 'too_small'],
    [{ antennas: [{ port: 1, gain: 3 }] }, 'gain', 'unknown_field'],
    [{ antennas: [{ port: 1, kind: 'door' }] }, 'kind', 'invalid_value'],
    [{ antennas: [{ port: 1, kind: null }] }, 'kind', 'invalid_value'],
    [{ location_rule: 'strongest' }, 'location_rule', 'invalid_value'],
    [{ location_rule: null }, 'location_rule', 'invalid_value'],
    [{ publish_topic: '' }, 'publish_topic', 'too_short'],
    [{ publish_topic: 'a\0b' }, 'publish_topic', 'invalid_value'],
    [{ publish_topic: '$SYS/#' }, 'publish_topic', 'invalid_value'],
    [{ publish_topic: 'a/b+/c' }, 'publish_topic', 'invalid_value'],
    [{ publish_topic: 'a/#/c' }, 'publish_topic', 'invalid_value'],
    [{ publish_topic: 'a/b#' }, 'publish_topic', 'invalid_value'],
    [{ publish_topic: 'readers/somebody/reads' }, 'publish_topic', 'invalid_value'],
    [{ publish_topic: 'a/'.repeat(100) }, 'publish_topic', 'invalid_value'],
    [{ resolution_seconds: -1 }, 'resolution_seconds', 'too_small'],
    [{ resolution_seconds: 86_401 }, 'resolution_seconds', 'too_large'],
    [{ resolution_seconds: 1.5 }, 'resolution_seconds', 'invalid_value'],
    [{ count_private_addresses: 'yes' }, 'count_private_addresses', 'invalid_value'],
    [{ use_receipt_time: 'yes' }, 'use_receipt_time', 'invalid_value'],
    [{ mqtt_username: 'me' }, 'mqtt_username', 'unknown_field'],
  ])('rejects %j', async (given, field, code) => {
    const org = await world.organization();
    const refusal = await refusalOf(org.admin.readers.create({ name: 'Dock', ...given } as NewReader));
    expect(refusal).toMatchObject({ type: 'validation_error', fields: [{ field, code }] });
    expect((await org.admin.readers.list()).total_count).toBe(0);
  });

  it.each(readerFormats)('knows the format %s', async (format) => {
    const org = await world.organization();
    const mapping = format === 'mapped' ? { mapping: { value: 'epc' } } : {};
    expect(await org.admin.readers.create({ name: 'Dock', format, ...mapping })).toMatchObject({ format });
  });
});
