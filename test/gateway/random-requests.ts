import fc from 'fast-check';

const routes = [
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
  'external_key',
  'is_active',
  'q',
  'include_deleted',
  'limit',
  'offset',
  'sort',
  'parent_id',
  'parent_external_key',
  'asset_id',
  'asset_external_key',
  'location_id',
  'location_external_key',
  'from',
  'to',
  'x',
  '__proto__',
];

const parameterValues = [
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
  'name',
  '-name',
  'name,name',
  'name,-external_key',
  '-event_observed_at',
  '-asset_last_seen',
  ',',
  '-',
  'location_external_key',
  '2026-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '-infinity',
  'now',
];

const fields = [
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
  'updated_at',
  'deleted_at',
  'parent_id',
  'parent_external_key',
  'location_id',
  'tag_type',
  'value',
  '__proto__',
  'x',
];

const fieldValues = [
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
  `"${'x'.repeat(256)}"`,
  `"${'😀'.repeat(255)}"`,
  '"%_\\\\"',
  '"\'; DROP TABLE assets; --"',
  '"a\\tb"',
  '"\\ufeff"',
  '"\\uffff"',
  '"2026-01-01T00:00:00Z"',
  '"0001-01-01T00:00:00Z"',
  '"0000-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59.999999999Z"',
  '"-0001-01-01T00:00:00Z"',
  '"2026-02-30T00:00:00Z"',
  '"2026-01-01T00:00:00+23:59"',
  '"infinity"',
  '"1969-12-31T23:59:59.999Z"',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"a":{"__proto__":[1e308,-0,"\\u0007"]}}',
  '{"":""}',
  '{"\\u0000":1}',
  '{"a":"\\udfff"}',
  '[{"tag_type":"rfid","value":"A"}]',
  '[{"tag_type":"ble","value":"A"},{"tag_type":"ble","value":"A"}]',
  '[{"value":5}]',
  '[{"id":1,"tag_type":"rfid","value":"A"}]',
  '{"tag_type":"rfid","value":"v"}',
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

function fieldFor(route: string): fc.Arbitrary<readonly [name: string, value: string]> {
  const names = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...fieldsOf(route)) },
    { weight: 1, arbitrary: fc.constantFrom(...fields) },
  );
  const anyValue = fc.constantFrom(...fieldValues);
  return names.chain((name) => {
    const taken = fc.constantFrom(...((Object.hasOwn(fieldsTaken, name) && fieldsTaken[name]) || fieldValues));
    const value = fc.oneof({ weight: 3, arbitrary: taken }, { weight: 1, arbitrary: anyValue });
    return value.map((text) => [name, text] as const);
  });
}

function bodyFor(route: string): fc.Arbitrary<string> {
  const required: (readonly [string, fc.Arbitrary<string>])[] = [];
  if (route === 'POST /assets' || route === 'POST /locations') required.push(['name', fc.constant('"x"')]);
  if (route.endsWith('/tags')) {
    required.push(['tag_type', fc.constant('"rfid"')], ['value', fc.nat(999).map((number) => `"${number}"`)]);
  }
  const basis = fc.tuple(...required.map(([name, value]) => value.map((text) => [name, text] as const)));
  const written = fc
    .tuple(basis, fc.array(fieldFor(route), { minLength: 1, maxLength: 3 }))
    .map(([given, more]) => [...new Map([...given, ...more])].map(([name, value]) => `"${name}":${value}`))
    .map((members) => `{${members.join(',')}}`);
  return fc.oneof({ weight: 9, arbitrary: written }, { weight: 1, arbitrary: fc.constantFrom(...brokenBodies) });
}

const parameter = fc.tuple(fc.constantFrom(...parameters), fc.constantFrom(...parameterValues));
const query = fc.oneof(
  { weight: 1, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc
      .array(parameter, { minLength: 1, maxLength: 3 })
      .map((given) => `?${given.map(([name, value]) => `${name}=${value}`).join('&')}`),
  },
);

/** What stands for an id in a path: mostly the id of a row, by its number among those that there are. */
const id = fc.oneof(
  { weight: 7, arbitrary: fc.nat(11) },
  { weight: 1, arbitrary: fc.constantFrom(...parameterValues.slice(1)) },
);

/** A request of the contract's routes: its path with two ids to put in, and its body. */
export const requests = fc.constantFrom(...routes).chain((route) => {
  const [method = '', template = ''] = route.split(' ');
  const rareQuery = fc.oneof({ weight: 19, arbitrary: fc.constant('') }, { weight: 1, arbitrary: query });
  const hasBody = method !== 'GET' && method !== 'DELETE';
  return fc.record({
    method: fc.constant(method),
    template: fc.constant(`/api/v1${template}`),
    ids: fc.tuple(id, id),
    query: method === 'GET' ? query : rareQuery,
    raw: hasBody ? bodyFor(route) : fc.constant(undefined),
  });
});
