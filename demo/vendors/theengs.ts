import { type Device, type Vendor, withColons } from './vendor.js';

/** OpenMQTTGateway: one message per device, without a time; plain text when it connects and disconnects. */
export const theengs: Vendor = {
  make: 'OpenMQTTGateway on an ESP32',
  format: 'theengs',
  tagType: 'ble',
  tellsTime: false,
  publishTopic: (device) => `home/${gatewayOf(device)}/#`,
  connection: (device) => ({
    clientId: gatewayOf(device),
    clean: true,
    keepaliveSeconds: 60,
    will: { topic: `home/${gatewayOf(device)}/LWT`, payload: 'offline', qos: 0, retain: true },
    birth: { topic: `home/${gatewayOf(device)}/LWT`, payload: 'online', qos: 0, retain: true },
  }),
  reportSeconds: 4,
  reports: (device, sightings) =>
    sightings.map(({ value, rssiDbm }, i) => ({
      topic: `home/${gatewayOf(device)}/BTtoMQTT/${value}`,
      qos: 0,
      payload: JSON.stringify({
        // Some versions send the address in lower case.
        id: i % 2 === 0 ? withColons(value) : withColons(value).toLowerCase(),
        mac_type: 1,
        rssi: rssiDbm,
        model_id: 'IBEACON',
      }),
    })),
  heartbeat: (device, { sequence }) => ({
    topic: `home/${gatewayOf(device)}/SYStoMQTT`,
    qos: 1,
    payload: JSON.stringify({ uptime: sequence, version: 'v1.7.0', freemem: 100_000, modules: ['BT'] }),
  }),
};

function gatewayOf({ name }: Device): string {
  return `OMG_${name}`;
}
