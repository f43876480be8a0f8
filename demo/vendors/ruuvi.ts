import { type Device, secondsOf, type Vendor, withColons } from './vendor.js';

/** One message per tag, with the tag's address only in the topic; times are seconds as text. */
export const ruuvi: Vendor = {
  make: 'Ruuvi Gateway',
  format: 'ruuvi',
  tagType: 'ble',
  tellsTime: true,
  publishTopic: () => 'ruuvi/+/+',
  connection: (device) => ({
    clientId: `ruuvi-gateway-${device.mac}`,
    clean: true,
    keepaliveSeconds: 60,
    will: { topic: statusTopic(device), payload: '{"state":"offline"}', qos: 1, retain: true },
  }),
  reportSeconds: 4,
  reports: (device, sightings, { atMs }) =>
    sightings.map(({ value, rssiDbm, atMs: readAtMs }) => ({
      topic: `ruuvi/${withColons(device.mac)}/${withColons(value)}`,
      qos: 1,
      payload: JSON.stringify({
        gw_mac: withColons(device.mac),
        rssi: rssiDbm,
        aoa: [],
        gwts: secondsText(device, atMs),
        ts: secondsText(device, readAtMs),
        data: '0201061BFF99040512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F',
        coords: '',
      }),
    })),
  heartbeat: (device) => ({ topic: statusTopic(device), qos: 1, retain: true, payload: '{"state":"online"}' }),
};

function statusTopic({ mac }: Device): string {
  return `ruuvi/${withColons(mac)}/gw_status`;
}

function secondsText(device: Device, atMs: number): string {
  return String(secondsOf(device, atMs) / 1000);
}
