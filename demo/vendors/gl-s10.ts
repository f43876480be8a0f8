import { chunksOf, type Vendor } from './vendor.js';

const devicesPerMessage = 40;

/** A BLE gateway that sends lists of devices; times in milliseconds. */
export const glS10: Vendor = {
  make: 'GL-S10',
  format: 'gl_s10',
  tagType: 'ble',
  tellsTime: true,
  publishTopic: ({ mac }) => `gl-s10/${mac}/scan`,
  connection: ({ mac }) => ({ clientId: `GL-S10_${mac}`, clean: true, keepaliveSeconds: 60 }),
  reportSeconds: 6,
  reports: ({ name, mac }, sightings) =>
    chunksOf(sightings, devicesPerMessage).map((chunk) => ({
      topic: `gl-s10/${mac}/scan`,
      qos: 0,
      payload: JSON.stringify({
        dev_id: name,
        dev_ble_mac: mac,
        dev_list: chunk.map(({ value, rssiDbm, atMs }) => ({
          mac: value,
          rssi: rssiDbm,
          ts: atMs,
          ad: '0201061AFF4C000215',
        })),
      }),
    })),
  heartbeat: ({ name, mac }) => ({
    topic: `gl-s10/${mac}/scan`,
    qos: 1,
    payload: JSON.stringify({ dev_id: name, dev_ble_mac: mac, dev_type: 'GL-S10', fw_ver: '1.4.0' }),
  }),
};
