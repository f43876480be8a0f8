import { chunksOf, isoTime, type Vendor } from './vendor.js';

const eventsPerMessage = 20;

/** One object per tag, joined without a separator; lower-case digits, and time offsets without a colon. */
export const zebraIotc: Vendor = {
  make: 'Zebra FX9600',
  format: 'zebra_iotc',
  tagType: 'rfid',
  tellsTime: true,
  publishTopic: ({ mac }) => `zebra/FX9600${mac.slice(-6)}/tevents`,
  connection: ({ mac, username }) => ({
    clientId: `FX9600${mac.slice(-6)}-iot-connector-management-and-data-interface`,
    clean: false,
    keepaliveSeconds: 60,
    will: { topic: `readers/${username}/mevents`, payload: '{"type":"disconnect"}', qos: 1 },
  }),
  reportSeconds: 2,
  reports: ({ mac }, sightings, { sequence }) =>
    chunksOf(sightings, eventsPerMessage).map((chunk, i) => ({
      topic: `zebra/FX9600${mac.slice(-6)}/tevents`,
      qos: 1,
      payload: chunk
        .map(({ value, antenna, rssiDbm, atMs }, index) =>
          JSON.stringify({
            type: 'INVENTORY',
            timestamp: zebraTime(atMs),
            data: {
              eventNum: sequence + i * eventsPerMessage + index,
              format: 'epc',
              idHex: value.toLowerCase(),
              antenna,
              peakRssi: rssiDbm,
              reads: 1,
            },
          }),
        )
        .join(''),
    })),
  heartbeat: ({ username }, { sequence, atMs }) => ({
    topic: `readers/${username}/mevents`,
    qos: 1,
    payload: JSON.stringify({
      type: 'heartbeat',
      timestamp: zebraTime(atMs),
      component: 'RC',
      eventNum: sequence,
      data: { radio_control: { status: 'running', antennas: { 1: 'connected', 2: 'connected' } } },
    }),
  }),
};

function zebraTime(atMs: number): string {
  return isoTime(atMs).replace('Z', '+0000');
}
