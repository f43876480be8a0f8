import { chunksOf, isoTime, type Vendor } from './vendor.js';

const readsPerMessage = 100;

/** A custom program that sends the service's native format at QoS 2. */
export const native: Vendor = {
  make: 'Raspberry Pi with a ThingMagic M6e',
  format: 'native',
  tagType: 'rfid',
  tellsTime: true,
  publishTopic: ({ username }) => `readers/${username}/reads`,
  connection: ({ name }) => ({ clientId: `pi-${name}`, clean: true, keepaliveSeconds: 20 }),
  reportSeconds: 2,
  reports: ({ username }, sightings) =>
    chunksOf(sightings, readsPerMessage).map((chunk) => ({
      topic: `readers/${username}/reads`,
      qos: 2,
      payload: JSON.stringify({
        reads: chunk.map(({ value, antenna, rssiDbm, atMs }) => ({
          value,
          antenna,
          rssi_dbm: rssiDbm,
          observed_at: isoTime(atMs),
        })),
      }),
    })),
  heartbeat: ({ username }, { atMs }) => ({
    topic: `readers/${username}/status`,
    qos: 1,
    retain: true,
    payload: JSON.stringify({ alive_at: isoTime(atMs) }),
  }),
};
