import { chunksOf, type Vendor, withColons } from './vendor.js';

const readsPerMessage = 50;

/** Lists of tags in the app's own form; times in microseconds. A frame of its own is the heartbeat. */
export const smartreader: Vendor = {
  make: 'Impinj R420 with SmartReader',
  format: 'smartreader',
  tagType: 'rfid',
  tellsTime: true,
  publishTopic: ({ username }) => `readers/${username}/reads`,
  connection: ({ name, mac, username }) => ({
    clientId: `smartreader-${name}-${mac}`,
    clean: true,
    keepaliveSeconds: 120,
    will: {
      topic: `readers/${username}/lwt`,
      payload: JSON.stringify({ 'smartreader-mqtt-status': 'disconnected', readerName: name }),
      qos: 0,
    },
  }),
  reportSeconds: 4,
  reports: ({ name, mac, username }, sightings) =>
    chunksOf(sightings, readsPerMessage).map((chunk) => ({
      topic: `readers/${username}/reads`,
      qos: 1,
      payload: JSON.stringify({
        readerName: name,
        mac: withColons(mac),
        site: 'riverside',
        tag_reads: chunk.map(({ value, antenna, rssiDbm, atMs }) => ({
          epc: value,
          firstSeenTimestamp: atMs * 1000,
          antennaPort: antenna,
          antennaZone: `zone-${antenna}`,
          peakRssi: rssiDbm,
          rfChannel: 0,
        })),
      }),
    })),
  heartbeat: ({ name, mac, username }) => ({
    topic: `readers/${username}/manage`,
    qos: 1,
    payload: JSON.stringify({ readerName: name, mac: withColons(mac), 'smartreader-status': 'running' }),
  }),
};
