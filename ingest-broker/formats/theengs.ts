import type { Finding, FrameFormat } from './frame-format.js';
import { type Frame, fieldOf } from './json-frames.js';
import type { RawTelemetry } from './telemetry.js';
import { beaconText, epochOf, macOf, macText, numberOf, textOf } from './values.js';

const publicAddress = 0;
/** Settings that the gateway publishes as its state, each with an `interval` between scans. */
const settings = [
  'bleconnect',
  'activescan',
  'adaptivescan',
  'onlysensors',
  'presenceawaytimer',
  'scanbcnct',
  'intervalacts',
];
const system = ['version', 'freemem', 'modules', 'discovery', 'ip'];

/**
 * OpenMQTTGateway and Theengs Gateway: one object per device. It has a time if the gateway is set to add one, and
 * `presence` if it tracks devices. Facts: docs.openmqttgateway.com, gateway.theengs.io and `1technophile/OpenMQTTGateway`.
 */
export const theengs: FrameFormat = {
  findings(frame) {
    // Sensors of other radios, such as sensors that rtl_433 receives, have a number.
    if (!Object.hasOwn(frame, 'id') || typeof frame['id'] === 'number') return undefined;
    return [findingOf(frame)];
  },
  isStatus: (frame) =>
    (Object.hasOwn(frame, 'uptime') && system.some((name) => Object.hasOwn(frame, name))) ||
    (Object.hasOwn(frame, 'interval') && settings.some((name) => Object.hasOwn(frame, name))),
  // The topics of presence repeat what the other topic has.
  sideTopics: ['LWT', 'version', 'SYStoMQTT', 'RLStoMQTT', 'WebUItoMQTT', 'BTtoMQTT?', 'presence', 'presence/*'].map(
    (topic) => `**/${topic}`,
  ),
  alwaysHasRssi: true,
};

/** The gateway may be set to publish the UUID of a beacon as its id, which all beacons of an owner have. */
function findingOf(frame: Frame): Finding {
  const id = textOf(fieldOf(frame, 'id'));
  const uuid = fieldOf(frame, 'uuid');
  const isUuid = id !== undefined && uuid !== undefined && macText(id) === macText(textOf(uuid) ?? '');
  const beacon = isUuid ? beaconText(uuid, fieldOf(frame, 'major'), fieldOf(frame, 'minor')) : undefined;
  return {
    tagType: 'ble',
    value: beacon ?? macOf(fieldOf(frame, 'id')),
    path: 'id',
    rssi: fieldOf(frame, 'rssi'),
    timeMs: epochOf(fieldOf(frame, 'unixtime') ?? fieldOf(frame, 'UTCtime'), 's'),
    isPublic: numberOf(fieldOf(frame, 'mac_type')) === publicAddress,
    telemetry: decodedTelemetry(frame),
    distance: fieldOf(frame, 'distance'),
  };
}

/** The properties of Theengs Decoder. */
function decodedTelemetry(frame: Frame): RawTelemetry {
  return {
    battery: fieldOf(frame, 'batt'),
    voltage: fieldOf(frame, 'volt'),
    temperature: fieldOf(frame, 'tempc'),
    humidity: fieldOf(frame, 'hum'),
    motion: fieldOf(frame, 'motion'),
    movements: fieldOf(frame, 'mov'),
    button: fieldOf(frame, 'button'),
  };
}
