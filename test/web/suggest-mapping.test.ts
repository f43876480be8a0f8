import { expect, test } from 'vitest';
import { suggestMapping } from '../../web/pages/readers/suggest-mapping.js';

test.each([
  [
    '{"data":{"tags":[{"epc":"E28","antennaPort":1,"rssi":-50,"timestamp":"2026-05-01T10:00:00Z"}]}}',
    { list: 'data.tags', value: 'epc', antenna: 'antennaPort', rssi: 'rssi', time: 'timestamp' },
  ],
  ['{"tagID":"E28","ant":2}', { list: '', value: 'tagID', antenna: 'ant', rssi: '', time: '' }],
  ['[{"mac":"AC233F","peak_rssi":-70,"ts":1}]', { list: '', value: 'mac', antenna: '', rssi: 'peak_rssi', time: 'ts' }],
  [
    '{"reads":[{"tag":{"id":"E28"},"port":3}]}',
    { list: 'reads', value: 'tag.id', antenna: 'port', rssi: '', time: '' },
  ],
  ['not JSON', { list: '', value: '', antenna: '', rssi: '', time: '' }],
  ['[]', { list: '', value: '', antenna: '', rssi: '', time: '' }],
])('of %s the mapping is suggested by the names of its fields', (payload, mapping) => {
  expect(suggestMapping(payload)).toEqual({ condition: '', ...mapping });
});
