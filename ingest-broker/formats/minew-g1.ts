import type { FrameFormat } from './frame-format.js';
import { fieldOf } from './json-frames.js';
import { dateTimeOf, macText, textOf } from './values.js';

/** Minew G1 BLE gateway: an array with one object per device, including the gateway itself. Facts: Minew's manual of the G1. */
export const minewG1: FrameFormat = {
  findings(frame) {
    if (fieldOf(frame, 'type') === 'Gateway' || !Object.hasOwn(frame, 'mac')) return undefined;
    const mac = textOf(fieldOf(frame, 'mac'));
    return [
      {
        tagType: 'ble',
        value: mac === undefined ? undefined : macText(mac),
        path: 'mac',
        rssi: fieldOf(frame, 'rssi'),
        timeMs: dateTimeOf(fieldOf(frame, 'timestamp')),
      },
    ];
  },
  isStatus: (frame) => fieldOf(frame, 'type') === 'Gateway' && Object.hasOwn(frame, 'mac'),
  alwaysHasRssi: true,
};
