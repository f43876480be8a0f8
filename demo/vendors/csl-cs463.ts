import { chunksOf, type Vendor } from './vendor.js';

const tagsPerMessage = 100;

/** One list of tags per report; times in microseconds, RSSI as text. */
export const cslCs463: Vendor = {
  make: 'CSL CS463',
  format: 'csl_cs463',
  tagType: 'rfid',
  tellsTime: true,
  publishTopic: ({ name }) => `riverside/${name}/reads`,
  connection: ({ name, mac, username }) => ({
    clientId: `CS463-${mac}-${name}-connection-1`,
    clean: true,
    keepaliveSeconds: 60,
    will: { topic: `readers/${username}/status`, payload: 'offline', qos: 1 },
  }),
  reportSeconds: 2,
  reports: (device, sightings, { sequence }) =>
    chunksOf(sightings, tagsPerMessage).map((chunk, i) => ({
      topic: `riverside/${device.name}/reads`,
      qos: 1,
      payload: JSON.stringify({
        sequenceNumber: sequence + i,
        rfidReaderName: device.name,
        rfidReaderSerialNumber: device.mac,
        numberOfTags: chunk.length,
        tags: chunk.map(({ value, antenna, rssiDbm, atMs }) => ({
          epc: value,
          timeStampOfRead: atMs * 1000,
          timeZone: '+1:00',
          antennaPort: antenna,
          capturePointName: `${device.name}-${antenna}`,
          rssi: String(rssiDbm),
        })),
      }),
    })),
  heartbeat: ({ name }, { sequence }) => ({
    topic: `riverside/${name}/reads`,
    qos: 1,
    payload: JSON.stringify({ sequenceNumber: sequence, rfidReaderName: name, numberOfTags: 0, tags: [] }),
  }),
};
