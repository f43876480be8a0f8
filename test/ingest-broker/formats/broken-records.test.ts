import { describe, expect, it } from 'vitest';
import type { Mapping, ReaderFormat } from '../../../server/index.js';
import { messageOf } from '../devices/playing.js';
import { understand } from './understand.js';

// Records that a device has cut, with what it sends next: no value of a read comes from two of them, and whole ones count.

const ble = (number: number) => `D8:A0:1D:55:32:${String(number).padStart(2, '0')}`;
const plain = (number: number) => ble(number).replaceAll(':', '');
const tag = (number: number) => `E2801190000000000000${3200 + number}`;

const ofLines: Mapping = { value: 'epc', antenna: 'ant', rssi: 'rssi', time_unit: 's', tag_type: 'rfid' };

function readsOf(format: ReaderFormat, payload: string | Uint8Array, mapping?: Mapping) {
  const understood = understand(format, payload, mapping ? { mapping } : {});
  const reads = understood.kind === 'reads' ? understood.reads : [];
  const loss = understood.kind === 'reads' ? understood.loss : understood.kind === 'rejected' ? understood.reason : '';
  return { reads: reads.map(({ value, antenna, rssiDbm }) => [value, antenna, rssiDbm]), loss };
}

const lost = expect.stringMatching(/could not be read: error at offset \d+|error at offset \d+|text at offset \d+/);

describe('messages as devices have sent them', () => {
  it('a frame of MQTT behind a key that is cut', () => {
    expect(readsOf('theengs', messageOf('32-cut-then-next-frame.bin'))).toEqual({
      reads: [[plain(2), 1, -62]],
      loss: lost,
    });
  });

  it('a line that is cut in a key', () => {
    expect(readsOf('mapped', messageOf('32b-cut-line.txt'), ofLines)).toEqual({
      reads: [[tag(2), 2, -50]],
      loss: lost,
    });
  });

  it('an item of a list that is cut in a text', () => {
    expect(readsOf('moko_mk107', messageOf('32c-cut-item.txt'))).toEqual({
      reads: [
        [plain(4), 1, -40],
        [plain(5), 1, -41],
      ],
      loss: expect.stringMatching(/^data\[0\] could not be read: error at offset \d+$/),
    });
  });

  it('a line that is cut in an address', () => {
    expect(readsOf('theengs', messageOf('32d-cut-in-address.txt'))).toEqual({
      reads: [
        [plain(6), 1, -60],
        [plain(8), 1, -62],
      ],
      loss: lost,
    });
  });
});

const [first, second, third] = [1, 2, 3].map(
  (number) => `{"id":"${ble(number)}","name":"cart ${number}","rssi":-6${number}}`,
) as [string, string, string];
/** Every place at which the second record can be cut, but its end. */
const cuts = Array.from({ length: second.length - 1 }, (_, index) => second.slice(0, index + 1));
const outer = [
  [plain(1), 1, -61],
  [plain(3), 1, -63],
];

describe('a record that is cut at any place', () => {
  it.each([
    ['in lines', '\n', '\n'],
    ['in lines of CRLF', '\r\n', '\r\n'],
    ['in objects joined without anything', '', ''],
    ['before a frame of MQTT', '\n', '\0\x0chome/g1/BTtoMQTT'],
  ])('%s', (_, before, behind) => {
    for (const cut of cuts) {
      const found = readsOf('theengs', `${first}${before}${cut}${behind}${third}`);
      expect([cut, found]).toEqual([cut, { reads: outer, loss: lost }]);
    }
  });

  it('in a list of a format, with and without a comma, in any order of fields', () => {
    const fields = (number: number) => [`"mac":"${ble(number)}"`, `"rssi":-6${number}`, `"adv_data":"0201${number}"`];
    for (const order of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const item = (number: number) => `{${order.map((index) => fields(number)[index]).join(',')}}`;
      for (let length = 1; length < item(2).length; length += 1) {
        for (const comma of [',', '']) {
          const cut = item(2).slice(0, length);
          const list = [item(1), `${cut}${comma}${item(3)}`].join(',');
          const found = readsOf('moko_mk107', `{"msg_id":3070,"device_info":{"mac":"AABBCCDDEE01"},"data":[${list}]}`);
          expect([cut, found]).toEqual([cut, { reads: outer, loss: expect.stringContaining('data[1]') }]);
        }
      }
    }
  });

  it('at the end of a list, before the next message', () => {
    const message = (...items: string[]) =>
      `{"msg_id":3070,"device_info":{"mac":"AABBCCDDEE01"},"data":[${items.join(',')}]}`;
    const item = (number: number) => `{"mac":"${ble(number)}","rssi":-6${number},"adv_data":"0201"}`;
    const whole = message(item(1), item(2));
    const begin = whole.indexOf(item(2));
    for (let length = begin; length < whole.length - 2; length += 1) {
      for (const between of ['', '\n', '\r\n']) {
        const found = readsOf('moko_mk107', `${whole.slice(0, length)}${between}${message(item(3))}`);
        expect([length, found]).toEqual([length, { reads: outer, loss: lost }]);
      }
    }
  });

  it('in the first message, before its list', () => {
    const head = '{"msg_id":3070,"device_info":{"mac":"AABBCCDDEE01"},"data":[';
    const message = `${head}{"mac":"${ble(3)}","rssi":-63}]}`;
    for (let length = 1; length <= head.length; length += 1) {
      const found = readsOf('moko_mk107', `${head.slice(0, length)}${message}`);
      expect([length, found]).toEqual([length, { reads: [[plain(3), 1, -63]], loss: lost }]);
    }
  });

  it('at the end of the message', () => {
    for (const cut of cuts) {
      const found = readsOf('theengs', `${first}\n${cut}`);
      expect([cut, found]).toEqual([cut, { reads: outer.slice(0, 1), loss: lost }]);
    }
  });

  it('in lists of lists', () => {
    const gateway = (name: string, ...items: string[]) => `{"gw":"${name}","tags":[${items.join(',')}]}`;
    const item = (number: number) => `{"epc":"${tag(number)}","ant":${number},"rssi":-6${number}}`;
    const mapping: Mapping = { ...ofLines, list: 'gateways[].tags[]' };
    const message = (...list: string[]) => `{"gateways":[${list.join(',')}]}`;
    for (let length = 1; length < item(2).length; length += 1) {
      const cut = item(2).slice(0, length);
      const inner = message(gateway('a', item(1), `${cut}${item(3)}`));
      const behind = message(`${gateway('a', item(1), cut).slice(0, -2)}${gateway('b', item(3))}`);
      for (const payload of [inner, behind]) {
        const reads = [
          [tag(1), 1, -61],
          [tag(3), 3, -63],
        ];
        expect([payload, readsOf('mapped', payload, mapping)]).toEqual([payload, { reads, loss: lost }]);
      }
    }
  });

  it('in lists whose items are lists', () => {
    const device = (number: number) => `[0,"${plain(number)}",-6${number},"0201"]`;
    const row = (number: number) => `["${tag(number)}",${number},-6${number}]`;
    const mapping: Mapping = { ...ofLines, value: '[0]', antenna: '[1]', rssi: '[2]' };
    const tags = [
      [tag(1), 1, -61],
      [tag(3), 3, -63],
    ];
    for (const comma of [',', '']) {
      for (let length = 1; length < device(2).length; length += 1) {
        const list = [device(1), `${device(2).slice(0, length)}${comma}${device(3)}`].join(',');
        const found = readsOf(
          'april_brother',
          `{"v":"1","mid":7,"ip":"10.0.0.9","mac":"AABBCCDDEE01","devices":[${list}]}`,
        );
        expect([list, found]).toEqual([list, { reads: outer, loss: expect.stringContaining('devices[1]') }]);
      }
      for (let length = 1; length < row(2).length; length += 1) {
        const list = [row(1), `${row(2).slice(0, length)}${comma}${row(3)}`].join(',');
        const found = readsOf('mapped', `{"rows":[${list}]}`, { ...mapping, list: 'rows' });
        expect([list, found]).toEqual([list, { reads: tags, loss: expect.stringContaining('rows[1]') }]);
      }
    }
    // In the first row, which shows what the others are like, from its second value on.
    for (let length = device(1).indexOf('"') + 1; length < device(1).length; length += 1) {
      const list = [`${device(1).slice(0, length)},${device(2)}`, device(3)].join(',');
      const found = readsOf('april_brother', `{"mid":7,"devices":[${list}]}`);
      const reads = [[plain(2), 1, -62], outer[1]];
      expect([list, found]).toEqual([list, { reads, loss: lost }]);
    }
    for (let length = 1; length < row(2).length; length += 1) {
      const lines = [row(1), row(2).slice(0, length), row(3)].join('\n');
      expect([lines, readsOf('mapped', lines, mapping)]).toEqual([lines, { reads: tags, loss: lost }]);
    }
  });

  it('in objects that are keyed by their address', () => {
    const mapping: Mapping = {
      list: 'items(devices)',
      value: '[0]',
      rssi: '[1].r',
      time_unit: 's',
      tag_type: 'ble',
    };
    const device = (number: number) => `"${plain(number)}":{"r":-6${number},"n":"cart"}`;
    const begin = device(2).indexOf('{') + 1;
    for (let length = begin; length < device(2).length; length += 1) {
      const cut = device(2).slice(0, length);
      const { reads, loss } = readsOf('mapped', `{"devices":{${device(1)},${cut},${device(3)}}}`, mapping);
      expect([cut, loss]).toEqual([cut, lost]);
      // Behind a whole value, the next device looks like a field of the one that was cut.
      const isInText = cut.split('"').length % 2 === 0;
      expect([cut, reads]).toEqual([cut, isInText ? outer : reads.filter(([value]) => value !== plain(2))]);
    }
  });
});

it('two records that were cut into one are no read', () => {
  const payload = `{"id":"${ble(1)}","ra":1,"id":"${ble(2)}","rssi":-62},\n${third}`;
  expect(readsOf('theengs', payload)).toEqual({ reads: [outer[1]], loss: lost });
  const text = `{"id":"${ble(1)}","name":"cart,"id":"${ble(2)}","rssi":-62}\n${third}`;
  expect(readsOf('theengs', text)).toEqual({ reads: [outer[1]], loss: lost });
});

it('valid JSON is not repaired', () => {
  const payload = JSON.stringify({ id: ble(1), name: `{"id":"${ble(2)}","rssi":-62}`, rssi: -61 });
  expect(readsOf('theengs', payload)).toEqual({ reads: [outer[0]], loss: undefined });
  const twice = `{"id":"${ble(1)}","id":"${ble(3)}","rssi":-63}`;
  expect(readsOf('theengs', twice)).toEqual({ reads: [outer[1]], loss: undefined });
});

it('a list with a broken item keeps what is behind it', () => {
  const payload = `{"event":"removed","tags":[{"epc":"${tag(1)}","x":-5-8}],"reader":"r"}`;
  const mapping: Mapping = { ...ofLines, list: 'tags' };
  expect(understand('mapped', payload, { mapping }).kind).toBe('rejected');
  const behind = `{"tags":[{"epc":"${tag(1)}"},{"epc":"${tag(2)}","x":-5-8}],"event":"removed"}`;
  expect(readsOf('mapped', behind, mapping).reads).toEqual([]);
});
