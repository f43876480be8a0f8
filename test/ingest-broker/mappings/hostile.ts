import type { Mapping } from '../../../server/index.js';

const mapping = (more: Partial<Mapping>): Mapping => ({ value: 'epc', time_unit: 'ms', tag_type: 'rfid', ...more });
const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(',');
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, no) => [`k${no}`, { no }]));
/** A reader's message of 131,000 items. */
const numbers = `[${times(131_000, '1')}]`;
const flags = JSON.stringify({ t: Array(30_000).fill(1), ...fields(10_000) });

/** Mappings and messages of less than 256 KiB that take seconds to hours, or gigabytes. */
export const hostileMessages: readonly (readonly [name: string, mapping: Mapping, payload: string])[] = [
  [
    'values that contain each other many times',
    mapping({ value: `to_string([@,@]${'|[@,@]'.repeat(30)})` }),
    '{"a":1}',
  ],
  ['the whole message for each item', mapping({ value: 'to_string(map(&$, t))' }), flags],
  ['a list made of many copies', mapping({ value: `[${times(240, '@')}][]|[0]` }), numbers],
  [
    'a departure in each of many copies',
    mapping({ list: `map(&$, t)` }),
    JSON.stringify({ t: Array(10_000).fill(1), ...fields(9000) }),
  ],
  ['the whole message as the condition', mapping({ list: 't', condition: '$' }), flags],
  ['the whole message as the condition of a filter', mapping({ value: 't[?$]' }), flags],
  ['the whole message negated', mapping({ value: 'map(&!$, t)' }), flags],
  [
    'a long text as value',
    mapping({ list: 't', value: '$.b' }),
    JSON.stringify({ t: Array(10_000).fill(1), b: '0'.repeat(200_000) }),
  ],
  ['a text of 400 MB', mapping({ value: "split(pad_left('x', `400000000`, ' '), ' ')" }), '{}'],
  ['the message as text for each item', mapping({ value: 'join(to_string($), t[*].to_string($))' }), flags],
];

/** Blanks of 180 KB as antenna, level and time of each of 5,000 items. */
export const blanks = {
  mapping: mapping({ list: 't', antenna: '$.b', rssi: '$.b', time: '$.b' }),
  payload: JSON.stringify({ t: Array.from({ length: 5000 }, () => ({ epc: 'E' })), b: ' '.repeat(180_000) }),
};
