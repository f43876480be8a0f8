import { chunksOf, type Vendor } from './vendor.js';

const devicesPerMessage = 10;

/** A BLE gateway with numbered messages. The notation of its times is its own, and the service does not read it. */
export const mokoMk107: Vendor = {
  make: 'MOKO MK107',
  format: 'moko_mk107',
  tagType: 'ble',
  tellsTime: false,
  publishTopic: ({ mac }) => `MK107/${mac.toLowerCase()}/device_to_app`,
  connection: ({ mac }) => ({ clientId: `MK107-${mac}`, clean: true, keepaliveSeconds: 60 }),
  reportSeconds: 10,
  reports: ({ mac }, sightings) =>
    chunksOf(sightings, devicesPerMessage).map((chunk) => ({
      topic: `MK107/${mac.toLowerCase()}/device_to_app`,
      qos: 1,
      payload: JSON.stringify({
        msg_id: 3004,
        device_info: { mac },
        data: chunk.map(({ value, rssiDbm, atMs }) => ({
          type: 1,
          value: {
            mac: value,
            rssi: rssiDbm,
            type: 'iBeacon',
            uuid: '2686f39cbada4658854aa62e7e5e8b8d',
            major: 1,
            minor: 0,
            timestamp: mokoTime(atMs),
          },
        })),
      }),
    })),
  heartbeat: ({ mac }, { atMs }) => ({
    topic: `MK107/${mac.toLowerCase()}/device_to_app`,
    qos: 1,
    payload: JSON.stringify({
      msg_id: 3003,
      device_info: { mac },
      data: { timestamp: mokoTime(atMs), net_interface: 0, net_state: 1 },
    }),
  }),
};

function mokoTime(atMs: number): string {
  const at = new Date(atMs);
  const clock = at.toISOString().slice(11, 19);
  return `${at.getUTCFullYear()}-${at.getUTCMonth() + 1}-${at.getUTCDate()}&${clock}+00`;
}
