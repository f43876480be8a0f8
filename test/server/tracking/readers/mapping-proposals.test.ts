import { describe, expect, it } from 'vitest';
import { bytesOf, messageOf, stepsOf } from '../../../ingest-broker/devices/playing.js';
import { refusalOf } from '../../../support/caller.js';
import { createScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { fileWorld } from '../../../support/shared.js';

const world = fileWorld(createScanWorld);

/** Saves the mapping that is proposed for a message, and returns what the service would store of the message. */
async function readsOf(org: ScanOrganization, message: Buffer, topic = 'site/reads') {
  const { id } = await org.reader({ name: 'Gate' });
  const text = message.toString();
  const proposed = await org.admin.readers.proposeMapping({ id, topic, message: text });
  await org.admin.readers.update({ id, format: 'mapped', ...proposed });
  const [trial] = await org.admin.readers.tryMapping({ id, topic, message: text, ...proposed });
  const reads = trial?.reads.map(({ tag_type, value, antenna, rssi_dbm, observed_at }) =>
    [tag_type, value, antenna, rssi_dbm, observed_at].join(' ').trim(),
  );
  return { reads, mapping: proposed.mapping };
}

const epcOf = (number: string) => `E2801190000000000000${number}`;

describe('a mapping, saved as proposed, reads the tags of a message', () => {
  it.each<[file: string, reads: string[]]>([
    ['01-moko-mkgw-scan.json', ['ble D8A01D556601 1 -58 2026-11-25T16:36:23.000Z']],
    ['08-zebra-handheld-data-event.json', ['rfid 303402420000000000000801 1 -48 2026-11-25T16:16:21.628Z']],
    ['09-cassia-scan.json', ['ble D8A01D550901 1 -61 2026-11-25T16:37:26.583Z']],
    ['10-april-brother.json', ['ble D8A01D551002 1 -61']],
    ['11-esp-rfid.json', ['rfid F9C2F720 1  2026-11-25T16:36:40.000Z']],
    ['11b-epc-and-timestamp.json', [`rfid ${epcOf('1101')} 1 -50 2026-11-25T16:37:33.000Z`]],
    ['12-espresense-beacon.json', ['ble D8A01D551201 1 -71.5']],
    ['24-public-address.json', ['ble 38398F002401 1 -60']],
    ['28-keyed-by-address.json', ['ble E8D03CBA0001 1 -76', 'ble D8A01D552801 1 -66']],
    ['28b-identifier-as-text.txt', ['rfid 5567232D 1']],
    ['32b-cut-line.txt', [`rfid ${epcOf('3202')} 2 -50`]],
    [
      '34-access-point-report.json',
      ['ble D8A01D553401 1 -77 2026-11-28T10:00:00.000Z', 'ble D8A01D553402 1 -69 2026-11-28T10:00:01.000Z'],
    ],
    [
      '34b-epcis-event.json',
      [3401, 3402].map((serial) => `rfid urn:epc:id:sgtin:0614141.107346.${serial} 1  2026-11-28T14:30:00.000Z`),
    ],
    ['34c-uplink-with-beacons.json', ['ble D8A01D553403 1 -63']],
    ['34d-parts-of-the-advertisement.json', ['ble D8A01D553404 1 -66']],
    ['34e-address-under-another-name.json', ['ble D8A01D553405 1 -65']],
    ['35-time-stamp-of-an-app.json', [`rfid ${epcOf('3501')} 3 -72`]],
    ['38-reads-of-another-make.json', [`rfid ${epcOf('3801')} 1 -62 2026-11-28T09:04:00.000Z`]],
  ])('%s', async (file, reads) => {
    expect((await readsOf(await world.organization(), messageOf(file))).reads).toEqual(reads);
  });

  it('also if the message for the proposal has one tag of each antenna', async () => {
    const group = (port: number, ...epcs: string[]) => ({ antenna: port, tags: epcs.map((epc) => ({ epc })) });
    const message = { data: [group(1, epcOf('0001')), group(2, epcOf('0002'))] };
    const { mapping } = await readsOf(await world.organization(), Buffer.from(JSON.stringify(message)));
    expect(mapping).toMatchObject({ list: 'data[].tags[]', value: 'epc' });
  });

  it('of formats that are known from descriptions only', async () => {
    const org = await world.organization();
    const found: unknown[] = [];
    for (const { payload } of stepsOf('29-more-that-automatic-takes-for-heartbeats.jsonl')) {
      found.push((await readsOf(org, bytesOf(payload))).reads?.join());
    }
    expect(found).toEqual([
      'ble D8A01D000008 1 -60 2026-11-25T16:36:40.000Z',
      'ble D8A01D00000C 1 -92',
      'ble D8A01D00000E 1  2026-11-25T16:36:40.300Z',
      'ble D8A01D000010 1 -60 2026-11-25T16:36:40.000Z',
      `rfid ${epcOf('1104')} 1  2026-11-25T12:14:30.000Z`,
    ]);
  });

  it.each([
    [
      'reader and tag side by side',
      '{"reader":{"id":"r","mac":"AABBCC000001"},"tag":{"epc":"E28011","antenna":2}}',
      'rfid E28011 2',
    ],
    ['the identifier in an object', '{"reads":[{"tag":{"id":"E2801101"},"port":3}]}', 'rfid E2801101 3'],
    [
      'antenna and level beside the list',
      '{"antenna":4,"rssi":-50,"tags":[{"uid":"55672301"}]}',
      'rfid 55672301 4 -50',
    ],
    [
      'lists in a list',
      '{"gateways":[{"id":"g","seen":[{"mac":"D8A01D550001","rssi":-50}]}]}',
      'ble D8A01D550001 1 -50',
    ],
    ['keys with other characters', '{"data-1":{"my tags":[{"tag-id":1,"mac":"D8A01D550002"}]}}', 'ble D8A01D550002 1'],
    ['an article', '{"scan":{"barcode":"4006381333931"}}', 'barcode 4006381333931 1'],
    ['a level two steps below', '{"mac":"D8A01D550003","radio":{"rssi":{"avg":-71}}}', 'ble D8A01D550003 1 -71'],
    ['a list of addresses', '{"room":"a","seen":["D8:A0:1D:55:00:04"]}', 'ble D8A01D550004 1'],
  ])('with %s', async (_, message, read) => {
    expect((await readsOf(await world.organization(), Buffer.from(message))).reads).toEqual([read]);
  });
});

describe('a field that says that a tag is there becomes a condition', () => {
  it.each([
    ['{"uid":"5567233A","present":true}', 'present'],
    ['{"uid":"5567233A","present":"true"}', "present == 'true'"],
    ['{"id":"D8:A0:1D:55:33:02","confidence":"100"}', "confidence != '0'"],
    ['{"id":"D8:A0:1D:55:33:02","confidence":80}', 'confidence != `0`'],
    ['{"tags":[{"uid":"5567233A","removed":false}]}', '!removed'],
    ['{"uid":"5567233A","state":{"in_range":true}}', 'state.in_range'],
    // Words of departure are left out without a condition.
    ['{"uid":"5567233A","event":"enter"}', undefined],
  ])('%s', async (message, condition) => {
    const { mapping, reads } = await readsOf(await world.organization(), Buffer.from(message));
    expect(mapping.condition).toBe(condition);
    expect(reads).toHaveLength(1);
  });

  it.each(['33-present-false.jsonl', '33b-confidence-0.jsonl', '33d-topic-and-present-false.jsonl'])(
    'proposed for the first message of %s, the departure is no read',
    async (file) => {
      const org = await world.organization();
      const [first, , last] = stepsOf(file);
      const { id } = await org.reader({ name: 'Gate' });
      const given = { id, topic: first?.topic ?? '', message: bytesOf(first?.payload).toString() };
      const proposed = await org.admin.readers.proposeMapping(given);
      expect(proposed.mapping.condition).toBeDefined();
      const message = bytesOf(last?.payload).toString();
      const [trial] = await org.admin.readers.tryMapping({ ...given, ...proposed, message });
      expect(trial).toMatchObject({ reads: [], reason: null });
    },
  );
});

it('the topic is proposed where it alone names the tag', async () => {
  const org = await world.organization();
  const [step] = stepsOf('33c-topic-and-not-present.jsonl');
  const { reads, mapping } = await readsOf(org, bytesOf(step?.payload), step?.topic);
  expect([mapping.value, reads]).toEqual(['topic()[1]', ['ble D8A01D553303 1']]);
});

it.each([
  '02-moko-mkgw-network-state.json',
  '18-heartbeat-with-nul.bin',
  '34f-nothing-that-identifies.json',
  '36-gateway-is-alive.json',
  '38b-identifier-as-list.json',
])('for %s no value is proposed, and saving asks for one', async (file) => {
  const org = await world.organization();
  const { id } = await org.reader({ name: 'Gate' });
  const message = messageOf(file).toString();
  const proposed = await org.admin.readers.proposeMapping({ id, topic: 'site/reads', message });
  expect(proposed.mapping.value).toBe('');
  const refusal = await refusalOf(org.admin.readers.update({ id, format: 'mapped', ...proposed }));
  expect(refusal.fields).toMatchObject([{ field: 'value', code: 'required' }]);
});

it('any message gets a mapping that can be saved, but for its value', async () => {
  const org = await world.organization();
  const { id } = await org.reader({ name: 'Gate' });
  for (const message of ['', '[]', '{}', 'x'.repeat(65_536), '[[[1]]]', '{"a\\"b.c`":{"mac":"D8A01D550005"}}', '\0']) {
    const { mapping, ...others } = await org.admin.readers.proposeMapping({ id, topic: '', message });
    const saved = { id, format: 'mapped', ...others, mapping: { ...mapping, value: mapping.value || 'epc' } } as const;
    expect(await org.admin.readers.update(saved)).toMatchObject({ format: 'mapped' });
  }
});

describe('readers.tryMapping', () => {
  const byEpc = { mapping: { value: 'epc', rssi: 'rssi' }, time_unit: 'ms', tag_type: 'rfid' } as const;

  async function reject(org: ScanOrganization, readerId: number, payload: string): Promise<void> {
    const content = { kind: 'rejected' as const, reason: 'unknown', payload: Buffer.from(payload) };
    await world.core.ingestion.ingest({ orgId: org.orgId, readerId, topic: 'gate/4', content });
  }

  it('judges the last rejected messages of the reader, the newest first, and stores nothing', async () => {
    const org = await world.organization();
    const { id } = await org.reader({ name: 'Gate' });
    for (const number of [1, 2, 3]) await reject(org, id, `{"epc":"${epcOf(`000${number}`)}","rssi":-6${number}}`);
    await reject(org, id, '{"epc":7,');
    const trials = await org.admin.readers.tryMapping({ id, ...byEpc, message: '{"state":"online"}', topic: 'gate/4' });
    expect(trials.map(({ received_at: at }) => at === null)).toEqual([true, false, false, false, false]);
    expect(trials.map(({ reads }) => reads.map(({ rssi_dbm: level }) => level).join())).toEqual([
      '',
      '',
      '-63',
      '-62',
      '-61',
    ]);
    expect(trials[0]).toMatchObject({ reason: null, read_count: 0 });
    expect(trials[1]?.reason).toMatch(/^the payload is not valid JSON/);
    expect(await world.db.unknownTag.count({ where: { orgId: org.orgId } })).toBe(0);
  });

  it('shows five reads of a message, and names the parts that find nothing', async () => {
    const org = await world.organization();
    const message = Array.from({ length: 8 }, (_, index) => `{"epc":"${epcOf(`001${index}`)}"}`).join('\n');
    const [trial] = await org.admin.readers.tryMapping({ ...byEpc, message });
    expect(trial).toMatchObject({ read_count: 8, reads: { length: 5 }, missing: ['rssi'] });
  });

  it('ends an expression that takes too much', async () => {
    const org = await world.organization();
    const mapping = { value: `to_string([@,@]${'|[@,@]'.repeat(30)})` };
    const [trial] = await org.admin.readers.tryMapping({ ...byEpc, mapping, message: '{"a":1}' });
    expect(trial?.reason).toMatch(/takes more than 101 ms/);
  });

  it('rejects invalid expressions, and readers of other organizations', async () => {
    const [org, other] = [await world.organization(), await world.organization()];
    const { id } = await other.reader({ name: 'Gate' });
    const wrong = await refusalOf(org.admin.readers.tryMapping({ ...byEpc, mapping: { value: '[' }, message: '{}' }));
    expect(wrong.fields).toMatchObject([{ code: 'invalid_value' }]);
    expect((await refusalOf(org.admin.readers.tryMapping({ id, ...byEpc }))).type).toBe('not_found');
    const proposal = org.admin.readers.proposeMapping({ id, topic: '', message: '{}' });
    expect((await refusalOf(proposal)).type).toBe('not_found');
  });
});
