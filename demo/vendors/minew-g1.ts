import { chunksOf, type Device, isoTime, secondsOf, type Vendor } from './vendor.js';

const devicesPerMessage = 50;

/** A BLE gateway that lists itself before the tags. Times are whole seconds, with fractions in some versions. */
export const minewG1: Vendor = {
  make: 'Minew G1',
  format: 'minew_g1',
  tagType: 'ble',
  tellsTime: true,
  publishTopic: topicOf,
  connection: ({ mac }) => ({ clientId: mac.toLowerCase(), clean: true, keepaliveSeconds: 60 }),
  reportSeconds: 6,
  reports: (device, sightings, { atMs }) =>
    chunksOf(sightings, devicesPerMessage).map((chunk) => ({
      topic: topicOf(device),
      qos: 0,
      payload: JSON.stringify([
        itself(device, atMs),
        ...chunk.map(({ value, rssiDbm, atMs: readAtMs }) => ({
          timestamp: timeOf(device, readAtMs),
          type: 'iBeacon',
          mac: value,
          bleName: '',
          ibeaconUuid: 'E2C56DB5DFFB48D2B060D0F5A71096E0',
          ibeaconMajor: 0,
          ibeaconMinor: 0,
          rssi: rssiDbm,
          ibeaconTxPower: -59,
          battery: 0,
        })),
      ]),
    })),
  heartbeat: (device, { atMs }) => ({
    topic: topicOf(device),
    qos: 1,
    payload: JSON.stringify([itself(device, atMs)]),
  }),
};

function topicOf({ mac }: Device): string {
  return `/gw/${mac.toLowerCase()}/status`;
}

function itself(device: Device, atMs: number) {
  return { timestamp: timeOf(device, atMs), type: 'Gateway', mac: device.mac, gatewayFree: 87, gatewayLoad: 0.24 };
}

function timeOf(device: Device, atMs: number): string {
  return isoTime(secondsOf(device, atMs)).replace('.000Z', 'Z');
}
