import { chunksOf, type Vendor } from './vendor.js';

const tagsPerMessage = 50;

/** A Keonn reader with a custom template, which the mapping of the registration describes. */
export const mapped: Vendor = {
  make: 'Keonn AdvanReader',
  format: 'mapped',
  settings: {
    mapping: { list: 'inventory.items', value: 'hexepc', antenna: 'port', rssi: 'dbm', time: 'ts' },
    time_unit: 'ms',
    tag_type: 'rfid',
  },
  tagType: 'rfid',
  tellsTime: true,
  publishTopic: ({ name }) => `keonn/${name}/inventory`,
  connection: ({ mac }) => ({ clientId: `AdvanReader-160-${mac}`, clean: true, keepaliveSeconds: 60 }),
  reportSeconds: 2,
  reports: ({ name }, sightings, { sequence }) =>
    chunksOf(sightings, tagsPerMessage).map((chunk, i) => ({
      topic: `keonn/${name}/inventory`,
      qos: 1,
      payload: JSON.stringify({
        deviceId: name,
        inventory: {
          id: sequence + i,
          items: chunk.map(({ value, antenna, rssiDbm, atMs }) => ({
            hexepc: value,
            port: String(antenna),
            dbm: rssiDbm,
            ts: atMs,
          })),
        },
      }),
    })),
  heartbeat: ({ username, name }) => ({
    topic: `readers/${username}/alive`,
    qos: 1,
    payload: JSON.stringify({ deviceId: name, status: 'RUNNING' }),
  }),
};
