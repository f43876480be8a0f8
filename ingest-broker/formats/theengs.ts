import type { FrameFormat } from './frame-format.js';
import { fieldOf } from './json-frames.js';
import { macText, textOf } from './values.js';

/** OpenMQTTGateway and Theengs: one object per device, without a time. */
export const theengs: FrameFormat = {
  findings(frame) {
    if (!Object.hasOwn(frame, 'id')) return undefined;
    const id = textOf(fieldOf(frame, 'id'));
    return [
      { tagType: 'ble', value: id === undefined ? undefined : macText(id), path: 'id', rssi: fieldOf(frame, 'rssi') },
    ];
  },
  statusFields: ['uptime', 'version', 'freemem', 'modules', 'gateway_name', 'ip', 'mac'],
};
