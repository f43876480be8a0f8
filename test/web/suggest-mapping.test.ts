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
  // The reader's own address stands before the tag. As gateways with several radios send it.
  [
    '{"reader":{"id":"r","mac":"AABBCC000001"},"tag":{"epc":"E28","antenna":2},"time":"x"}',
    { list: '', value: 'tag.epc', antenna: 'tag.antenna', rssi: '', time: 'time' },
  ],
  // Skylab and similar gateways, Intel's RSP controller, and Impinj's Octane SDK.
  [
    '{"gw_addr":"98:3B","data":{"dev_infos":[{"addr":"D8:A0","addr_type":"random","scan_time":1,"rssi":"-82 dBm"}]}}',
    { list: 'data.dev_infos', value: 'addr', antenna: '', rssi: 'rssi', time: 'scan_time' },
  ],
  [
    '{"params":{"data":[{"epc":"E28","tid":null,"antenna_id":0,"last_read_on":1,"rssi":-567}]}}',
    { list: 'params.data', value: 'epc', antenna: 'antenna_id', rssi: 'rssi', time: 'last_read_on' },
  ],
  [
    '{"Epc":"E28","AntennaPortNumber":1,"PeakRssiInDbm":-45.5,"FirstSeenTime":"x"}',
    { list: '', value: 'Epc', antenna: 'AntennaPortNumber', rssi: 'PeakRssiInDbm', time: 'FirstSeenTime' },
  ],
  ['{"id":7,"beacon":"D8A0","rssi":-60}', { list: '', value: 'beacon', antenna: '', rssi: 'rssi', time: '' }],
  ['not JSON', { list: '', value: '', antenna: '', rssi: '', time: '' }],
  ['[]', { list: '', value: '', antenna: '', rssi: '', time: '' }],
])('of %s the mapping is suggested by the names of its fields', (payload, mapping) => {
  expect(suggestMapping(payload)).toEqual({ condition: '', ...mapping });
});
