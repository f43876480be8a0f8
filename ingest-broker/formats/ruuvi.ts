import { advertisedTelemetry } from './advertisement.js';
import type { FrameFormat } from './frame-format.js';
import { type Frame, fieldOf } from './json-frames.js';
import type { RawTelemetry } from './telemetry.js';
import { asMac, epochOf, textOf } from './values.js';

/** Ruuvi gateway: the last topic level is the tag's MAC address; times are seconds as text. Facts: docs.ruuvi.com. */
export const ruuvi: FrameFormat = {
  findings(frame, { topic }) {
    if (!Object.hasOwn(frame, 'rssi') && !Object.hasOwn(frame, 'data')) return undefined;
    const mac = asMac(topic.slice(topic.lastIndexOf('/') + 1));
    // Other gateways publish below their own address.
    if (mac === undefined || mac === asMac(textOf(fieldOf(frame, 'gw_mac')) ?? '')) return undefined;
    return [
      {
        tagType: 'ble',
        value: mac,
        path: 'topic',
        rssi: fieldOf(frame, 'rssi'),
        timeMs: epochOf(fieldOf(frame, 'ts'), 's'),
        telemetry: advertisedTelemetry(fieldOf(frame, 'data')) ?? decodedTelemetry(frame),
      },
    ];
  },
  // What has a level but no address in its topic is reported: the topic is not the one that the gateway publishes to.
  isStatus: (frame) => ['online', 'offline'].some((state) => fieldOf(frame, 'state') === state),
  sideTopics: ['**/gw_status'],
  alwaysHasRssi: true,
};

/** The gateway can be set to decode its own sensors. */
function decodedTelemetry(frame: Frame): RawTelemetry {
  return {
    voltage: fieldOf(frame, 'voltage'),
    temperature: fieldOf(frame, 'temperature'),
    humidity: fieldOf(frame, 'humidity'),
    movements: fieldOf(frame, 'movementCounter'),
  };
}
