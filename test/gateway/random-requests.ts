/** The same numbers on every run, so that a failure can be reproduced. */
export function createDice(seed: number) {
  let state = seed;
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return { below, pick };
}

type Dice = ReturnType<typeof createDice>;

export const routes = [
  'GET /orgs/me',
  'GET /assets',
  'POST /assets',
  'GET /assets/{asset}',
  'PATCH /assets/{asset}',
  'DELETE /assets/{asset}',
  'POST /assets/{asset}/rename',
  'POST /assets/{asset}/tags',
  'DELETE /assets/{asset}/tags/{tag}',
  'GET /assets/{asset}/history',
  'GET /locations',
  'POST /locations',
  'GET /locations/{location}',
  'PATCH /locations/{location}',
  'DELETE /locations/{location}',
  'POST /locations/{location}/rename',
  'POST /locations/{location}/tags',
  'DELETE /locations/{location}/tags/{tag}',
  'GET /locations/{location}/ancestors',
  'GET /locations/{location}/children',
  'GET /locations/{location}/descendants',
  'GET /reports/asset-locations',
] as const;

const parameters = [
  ...[
    'external_key',
    'is_active',
    'q',
    'include_deleted',
    'limit',
    'offset',
    'sort',
    'parent_id',
    'parent_external_key',
  ],
  ...['asset_id', 'asset_external_key', 'location_id', 'location_external_key', 'from', 'to', 'x', '__proto__'],
];

export const parameterValues = [
  ...[
    '',
    '0',
    '1',
    '-1',
    '5',
    '200',
    '2147483647',
    '2147483648',
    '99999999999999999999',
    '1e5',
    '1.5',
    'true',
    'false',
    'null',
  ],
  ...[
    '%',
    '%25',
    '_',
    '%5C',
    "'",
    '%27%20OR%201=1--',
    '%00',
    '%FF',
    '%ED%A0%80',
    '%F0%9F%98%80',
    '%C4%B0',
    'ASSET-0001',
    'a'.repeat(256),
  ],
  ...[
    'name',
    '-name',
    'name,name',
    'name,-external_key',
    '-event_observed_at',
    '-asset_last_seen',
    ',',
    '-',
    'location_external_key',
  ],
  ...[
    '2026-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '0000-01-01T00:00:00Z',
    '-infinity',
    'now',
  ],
];

const fields = [
  ...[
    'name',
    'external_key',
    'description',
    'is_active',
    'metadata',
    'valid_from',
    'valid_to',
    'tags',
    'id',
    'created_at',
  ],
  ...[
    'updated_at',
    'deleted_at',
    'parent_id',
    'parent_external_key',
    'location_id',
    'tag_type',
    'value',
    '__proto__',
    'x',
  ],
];

const fieldValues = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '1',
    '-1',
    '2',
    '1.5',
    '2147483647',
    '2147483648',
    '9223372036854775808',
    '1e400',
    '1e-400',
  ],
  ...[
    '""',
    '" "',
    '"x"',
    '"X-1"',
    '"ASSET-0001"',
    '"LOC-0001"',
    '"rfid"',
    '"ble"',
    '"\\u0000"',
    '"\\ud800"',
    '"\\u202e"',
    '"😀"',
  ],
  ...[
    `"${'x'.repeat(256)}"`,
    `"${'😀'.repeat(255)}"`,
    '"%_\\\\"',
    '"\'; DROP TABLE assets; --"',
    '"a\\tb"',
    '"\\ufeff"',
    '"\\uffff"',
  ],
  ...['"2026-01-01T00:00:00Z"', '"0001-01-01T00:00:00Z"', '"0000-01-01T00:00:00Z"', '"9999-12-31T23:59:59.999999999Z"'],
  ...[
    '"-0001-01-01T00:00:00Z"',
    '"2026-02-30T00:00:00Z"',
    '"2026-01-01T00:00:00+23:59"',
    '"infinity"',
    '"1969-12-31T23:59:59.999Z"',
  ],
  ...[
    '[]',
    '{}',
    '[null]',
    '[[]]',
    '{"a":{"__proto__":[1e308,-0,"\\u0007"]}}',
    '{"":""}',
    '{"\\u0000":1}',
    '{"a":"\\udfff"}',
  ],
  ...[
    '[{"tag_type":"rfid","value":"A"}]',
    '[{"tag_type":"ble","value":"A"},{"tag_type":"ble","value":"A"}]',
    '[{"value":5}]',
  ],
  ...['[{"id":1,"tag_type":"rfid","value":"A"}]', '{"tag_type":"rfid","value":"v"}'],
];

/** What a field takes, so that some requests get past the checks of their body. */
const fieldsTaken: Readonly<Record<string, readonly string[]>> = {
  name: ['"x"', '"😀"', `"${'😀'.repeat(255)}"`, '"%_\\\\"', '"\\u202e"', '"\\uffff"'],
  external_key: ['"X-1"', '"X-2"', '"ASSET-0001"', '"LOC-0003"', '"ASSET-99999999999999999999"'],
  description: ['null', '"a\\tb"', '"\\ufeff"', '"\\uffff"'],
  is_active: ['true', 'false'],
  metadata: ['{}', '{"a":{"__proto__":[1e308,-0,"\\u0007"]}}', '{"":[[[]]]}'],
  valid_from: ['"0000-01-01T00:00:00Z"', '"9999-12-31T23:59:59.999999999Z"', '"1969-12-31T23:59:59.9999Z"'],
  valid_to: ['null', '"0000-01-01T00:00:00.001Z"', '"9999-12-31T23:59:59Z"'],
  tags: ['null', '[]', '[{"tag_type":"ble","value":"\\t"}]', '[{"tag_type":"rfid","value":"A"}]'],
  parent_id: ['null', '1', '2', '2147483647'],
  parent_external_key: ['null', '"LOC-0001"', '"LOC-0002"', '"NONE"'],
  tag_type: ['"rfid"', '"ble"', '"barcode"'],
  value: ['"A"', '"\\n"', `"${'😀'.repeat(255)}"`, '"\\u2028"'],
};

const brokenBodies = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{"name":"x"}}',
  '{"a":1,"a":2}',
  '['.repeat(300),
  '\ufeff{}',
  '{"name":"\\ud800"}',
];

/** The fields that belong to a write; `x` stands for the others. */
function fieldsOf(route: string): readonly string[] {
  if (route.endsWith('/tags')) return ['tag_type', 'value'];
  if (route.endsWith('/rename')) return ['external_key'];
  const shared = ['description', 'is_active', 'valid_from', 'valid_to', 'tags', 'external_key'];
  return [...shared, ...(route.includes('/locations') ? ['parent_id', 'parent_external_key'] : ['metadata'])];
}

export function bodyOf({ below, pick }: Dice, route: string): string {
  if (below(10) === 0) return pick(brokenBodies);
  const entries = new Map<string, string>();
  if (route === 'POST /assets' || route === 'POST /locations') entries.set('name', '"x"');
  if (route.endsWith('/tags')) entries.set('tag_type', '"rfid"').set('value', `"${below(1000)}"`);
  for (let count = 1 + below(3); count > 0; count -= 1) {
    const field = below(5) === 0 ? pick(fields) : pick(fieldsOf(route));
    entries.set(field, pick((below(4) > 0 && fieldsTaken[field]) || fieldValues));
  }
  return `{${[...entries].map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}

export function queryOf({ below, pick }: Dice): string {
  if (below(3) === 0) return '';
  const pieces = Array.from({ length: 1 + below(3) }, () => `${pick(parameters)}=${pick(parameterValues)}`);
  return `?${pieces.join('&')}`;
}
