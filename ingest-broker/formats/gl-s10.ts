import { advertisedTelemetry } from './advertisement.js';
import { type FrameFormat, listFindings } from './frame-format.js';
import { fieldOf } from './json-frames.js';
import { epochOf, macOf } from './values.js';

/** GL-S10 BLE gateway: a list of devices; times are milliseconds. Facts: the user manual in `gl-inet/docs3.x`. */
export const glS10: FrameFormat = {
  findings: (frame) =>
    listFindings(frame, 'dev_list', (device, path) => ({
      tagType: 'ble',
      value: macOf(fieldOf(device, 'mac')),
      path: `${path}.mac`,
      rssi: fieldOf(device, 'rssi'),
      timeMs: epochOf(fieldOf(device, 'ts'), 'ms'),
      telemetry: advertisedTelemetry(fieldOf(device, 'ad')),
    })),
  isStatus: (frame) => Object.hasOwn(frame, 'dev_ble_mac') && Object.hasOwn(frame, 'dev_type'),
  alwaysHasRssi: true,
};
