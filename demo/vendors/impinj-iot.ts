import { chunksOf, type Device, isoTime, type Sighting, type Vendor } from './vendor.js';

const eventsPerArray = 50;

/**
 * Single events, or arrays of them after an outage. The EPC is base64url and, if set so, also hexadecimal; RSSI in
 * hundredths of a dBm, times in nanoseconds. Sessions are persistent.
 */
export function impinjIot({ format, withHex }: { format: string; withHex: boolean }): Vendor {
  return {
    make: withHex ? 'Impinj R700' : 'Impinj R720',
    format,
    tagType: 'rfid',
    tellsTime: true,
    publishTopic: (device) => `impinj/${hostOf(device)}/events`,
    connection: (device) => ({
      clientId: `${hostOf(device)}-iot-device-interface-event-stream`,
      clean: false,
      keepaliveSeconds: 30,
      will: { topic: `readers/${device.username}/will`, payload: '{"eventType":"disconnected"}', qos: 2, retain: true },
    }),
    reportSeconds: 2,
    reports: (device, sightings) =>
      chunksOf(sightings, eventsPerArray).map((chunk) => {
        const events = chunk.map((sighting) => event(device, sighting));
        return {
          topic: `impinj/${hostOf(device)}/events`,
          qos: 1,
          payload: JSON.stringify(events.length === 1 ? events[0] : events),
        };
      }),
    heartbeat: (device, { atMs }) => ({
      topic: `impinj/${hostOf(device)}/events`,
      qos: 2,
      payload: JSON.stringify({
        timestamp: nanoTime(atMs),
        hostname: hostOf(device),
        eventType: 'inventoryStatus',
        inventoryStatusEvent: { inventoryStatus: 'running' },
      }),
    }),
  };

  function event(device: Device, { value, antenna, rssiDbm, atMs }: Sighting) {
    return {
      timestamp: nanoTime(atMs),
      hostname: hostOf(device),
      eventType: 'tagInventory',
      tagInventoryEvent: {
        epc: Buffer.from(value, 'hex').toString('base64url'),
        ...(withHex && { epcHex: value }),
        antennaPort: antenna,
        peakRssiCdbm: rssiDbm * 100,
      },
    };
  }
}

function hostOf({ mac }: Device): string {
  return `impinj-${mac.slice(-6, -4)}-${mac.slice(-4, -2)}-${mac.slice(-2)}`.toLowerCase();
}

function nanoTime(atMs: number): string {
  return isoTime(atMs).replace('Z', '000000Z');
}
