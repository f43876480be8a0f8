import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { formats } from '../../ingest-broker/formats/index.js';
import { projectRoot } from '../../server/kernel/project-root.js';
import { type ReaderFormat, readerFormats } from '../../server/tracking/readers/formats.js';
import { rejectionText } from '../../web/readers/rejection-text.js';
import { sharedBrokerWorld } from '../support/mqtt.js';
import { blocksOf, readProjectFile, sectionOf, tableRowsOf } from './markdown.js';

const rfid = 'E2801190A503006543E21224';
const ble = 'F95BC0EC4E56';
const list = readProjectFile('docs', 'readers', 'README.md');
const pages = tableRowsOf(list).map(([link = '', format = '']) => ({
  file: /\((.+)\)/.exec(link)?.[1] ?? '',
  format: format.replaceAll('`', '') as ReaderFormat,
}));

/** What the automatic format leaves to the format itself. */
const undetected: readonly ReaderFormat[] = ['auto', 'mapped', 'text', 'esp_rfid'];

const world = await sharedBrokerWorld();
afterAll(() => world[Symbol.asyncDispose]());

/** A page's own text, with the instant of its examples moved to now: reads that are too old are not kept. */
function textOf(file: string): string {
  const nowMs = Date.now() - 1000;
  return readProjectFile('docs', 'readers', file)
    .replaceAll('2026-05-01T10:00:00', new Date(nowMs).toISOString().slice(0, 19))
    .replaceAll('1777629600', String(Math.floor(nowMs / 1000)));
}

/** The topic and message of the command that stands in for the device. */
function commandIn(page: string): { topic: string; message: string } {
  const [command = ''] = blocksOf(page, 'sh');
  const [, topic = '', message = ''] = /-t "([^"]+)" \\\n {2}-m '([^']+)'\n$/.exec(command) ?? [];
  return { topic, message };
}

/** What the page says to set beside name, format and location. */
function settingsIn(page: string, { format, topic }: { format: ReaderFormat; topic: string }) {
  const rows = new Map(
    tableRowsOf(sectionOf(page, 'In Whereabouts')).map(([label = '', text = '']) => [
      label,
      /`([^`]+)`/.exec(text)?.[1] ?? '',
    ]),
  );
  const mapping =
    format === 'mapped'
      ? {
          mapping: {
            list: rows.get('List of reads') ?? '',
            value: rows.get('Tag value') ?? '',
            antenna: rows.get('Antenna') ?? '',
            rssi: rows.get('RSSI') ?? '',
            time: rows.get('Time') ?? '',
          },
          tag_type: 'rfid' as const,
          time_unit: 'ms' as const,
        }
      : {};
  const registered = rows.get('Topic')?.replace(/<[^>]+>/, topic.split('/')[1] ?? '');
  return { ...mapping, ...(registered && !topic.startsWith('readers/') ? { publish_topic: registered } : {}) };
}

test('every format has a page, and every page is in the list', () => {
  expect(pages.map(({ format }) => format).toSorted()).toEqual([...readerFormats].toSorted());
  const files = readdirSync(path.join(projectRoot(), 'docs', 'readers'));
  expect([...pages.map(({ file }) => file), 'README.md'].toSorted()).toEqual(files.toSorted());
});

test.each(pages)('$file: each message of the page is a sighting', async ({ file, format }) => {
  const beganMs = Date.now();
  const page = textOf(file);
  const { topic, message } = commandIn(page);
  const examples = format === 'ingics' || format === 'text' ? blocksOf(page, 'text') : blocksOf(page, 'json');
  expect(examples).toHaveLength(1);
  for (const payload of [...examples, message]) {
    const org = await world.organization();
    const location = await org.location();
    const asset = await org.asset({
      tags: [
        ['rfid', rfid],
        ['ble', ble],
      ],
    });
    const reader = await org.admin.readers.create({
      name: 'Gate',
      format,
      location_id: location,
      ...settingsIn(page, { format, topic }),
    });
    const client = await world.connect(reader);
    await client.publishAsync(topic.replace('$MQTT_USER', reader.mqtt_username), payload.trim(), { qos: 1 });
    const rejected = await org.admin.scans.rejectedMessages({ reader_id: reader.id });
    expect([payload, rejected.data]).toEqual([payload, []]);
    const [position] = await org.positions();
    expect([payload, position]).toMatchObject([
      payload,
      { asset_id: asset, location_id: location, reader_id: reader.id },
    ]);
    expect(Date.parse(position?.at ?? '')).toBeGreaterThan(beganMs - 60_000);
    const [event] = await org.events();
    const hasLevel = format !== 'text' && format !== 'esp_rfid';
    expect([payload, event?.rssi_dbm !== null]).toEqual([payload, hasLevel]);
  }
});

test('the automatic format understands all that the list says it does', async () => {
  for (const { file, format } of pages.filter((page) => !undetected.includes(page.format))) {
    const page = textOf(file);
    const { topic } = commandIn(page);
    const [message = ''] = [...blocksOf(page, 'json'), ...blocksOf(page, 'text')];
    const org = await world.organization();
    await org.asset({
      tags: [
        ['rfid', rfid],
        ['ble', ble],
      ],
    });
    const location = await org.location();
    const reader = await org.admin.readers.create({
      name: 'Gate',
      format: 'auto',
      location_id: location,
      ...settingsIn(page, { format, topic }),
    });
    const client = await world.connect(reader);
    await client.publishAsync(topic.replace('$MQTT_USER', reader.mqtt_username), message.trim(), { qos: 1 });
    expect([file, await org.positions()]).toMatchObject([file, [{ location_id: location }]]);
  }
});

/** What a format makes of a message on the reader's registered topic. */
function understand(format: ReaderFormat, message: string, topic = 'readers/gate-1/reads') {
  return formats[format]({ topic, payload: Buffer.from(message), onReadsTopic: true, mapping: null });
}

const detected = tableRowsOf(sectionOf(readProjectFile('docs', 'readers', 'auto.md'), 'What it sends')).map(
  ([format = '', fields = '']) => ({
    format: format.replaceAll('`', '') as ReaderFormat,
    fields: [...fields.matchAll(/`([^`]+)`/g)].map(([, field = '']) => field),
  }),
);

test('the page of the automatic format has what each format is detected by', () => {
  // The lines of Ingics have no fields.
  const expected = readerFormats.filter((format) => !undetected.includes(format) && format !== 'ingics');
  expect(detected.map(({ format }) => format).toSorted()).toEqual([...expected].toSorted());
});

test.each(detected)('$format is detected by $fields', ({ format, fields }) => {
  const page = textOf(pages.find((candidate) => candidate.format === format)?.file ?? '');
  const { topic } = commandIn(page);
  const [message = ''] = blocksOf(page, 'json');
  expect(understand('auto', message, topic).kind).toBe('reads');
  for (const field of fields) {
    const without = JSON.stringify(JSON.parse(message, (key, value: unknown) => (key === field ? undefined : value)));
    expect([field, without.length < message.trim().length]).toEqual([field, true]);
    expect([field, understand('auto', without, topic).kind]).not.toEqual([field, 'reads']);
  }
});

/** The messages that a page has as examples of a failure, with what is shown for them. */
const failures = pages.flatMap(({ file, format }) =>
  tableRowsOf(sectionOf(readProjectFile('docs', 'readers', file), 'When something goes wrong')).flatMap(
    ([shown = '', why = '']) => {
      const message = /`(\{"[^`]+)`/.exec(why)?.[1];
      return message === undefined ? [] : [{ file, format, shown, message }];
    },
  ),
);

test('pages have examples of failures', () => {
  expect(failures.map(({ file }) => file)).toEqual(expect.arrayContaining(['auto.md', 'minew-g1.md']));
});

test.each(failures)('$file: $message leads to "$shown"', ({ format, shown, message }) => {
  const found = understand(format, message);
  const reason = /^rejected messages: \*\*(.+)\*\*$/.exec(shown)?.[1];
  if (reason === undefined) expect(found).toEqual({ kind: 'status' });
  else expect(found.kind === 'rejected' && rejectionText(found.reason)).toBe(reason);
});

test('the mapping that the page of the Minew G1 has for other firmware finds the tag', () => {
  const message = failures.find(({ file }) => file === 'minew-g1.md')?.message ?? '';
  const mapping = { list: 'adv', value: 'mac', rssi: 'rssi', tag_type: 'ble', time_unit: 'rfc3339' } as const;
  const payload = Buffer.from(message);
  expect(formats.mapped({ topic: 'readers/gate-1/reads', payload, onReadsTopic: true, mapping })).toMatchObject({
    reads: [{ tagType: 'ble', value: ble, rssiDbm: -79 }],
  });
});
