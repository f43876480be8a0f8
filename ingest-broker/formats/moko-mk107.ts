import { type FrameFormat, listFindings } from './frame-format.js';
import { fieldOf, isFrame } from './json-frames.js';
import { macText, numberOf, textOf } from './values.js';

/** The message that reports scanned devices; in all others `data` is something else. */
const scanMessage = 3004;

/**
 * MOKO MK107 BLE gateway: a list of devices. The time of receipt is used, since its times have a proprietary notation.
 */
export const mokoMk107: FrameFormat = {
  findings(frame) {
    if (numberOf(fieldOf(frame, 'msg_id')) !== scanMessage) return undefined;
    return listFindings(frame, 'data', (device, path) => {
      const value = fieldOf(device, 'value');
      if (!isFrame(value)) return { flaw: `${path}.value is not an object` };
      const mac = textOf(fieldOf(value, 'mac'));
      return {
        tagType: 'ble',
        value: mac === undefined ? undefined : macText(mac),
        path: `${path}.value.mac`,
        rssi: fieldOf(value, 'rssi'),
      };
    });
  },
  statusFields: ['msg_id', 'device_info'],
};
