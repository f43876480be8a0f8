import { type FrameFormat, listFindings } from './frame-format.js';
import { fieldOf } from './json-frames.js';
import { epochOf, macText, textOf } from './values.js';

/** GL-S10 BLE gateway: a list of devices; times are milliseconds. */
export const glS10: FrameFormat = {
  findings: (frame) =>
    listFindings(frame, 'dev_list', (device, path) => {
      const mac = textOf(fieldOf(device, 'mac'));
      return {
        tagType: 'ble',
        value: mac === undefined ? undefined : macText(mac),
        path: `${path}.mac`,
        rssi: fieldOf(device, 'rssi'),
        timeMs: epochOf(fieldOf(device, 'ts'), 'ms'),
      };
    }),
  statusFields: ['dev_id', 'dev_ble_mac', 'dev_type'],
};
