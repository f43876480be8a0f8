import type { FrameFormat } from './frame-format.js';
import { fieldOf } from './json-frames.js';
import { epochOf, hexOf } from './values.js';

const events = ['boot', 'heartbeat', 'INFO', 'WARN', 'ERRO'];

/**
 * esp-rfid door readers: one object per card that was shown, known or not; times are seconds. Boots, heartbeats and log
 * entries come on the same topic. Facts: the README-ADDON and source of `esprfid/esp-rfid`.
 */
export const espRfid: FrameFormat = {
  findings(frame) {
    if (fieldOf(frame, 'type') !== 'access' || !Object.hasOwn(frame, 'uid')) return undefined;
    const timeMs = epochOf(fieldOf(frame, 'time'), 's');
    return [{ tagType: 'rfid', value: hexOf(fieldOf(frame, 'uid')), path: 'uid', timeMs }];
  },
  isStatus: (frame) => events.some((name) => fieldOf(frame, 'type') === name) && Object.hasOwn(frame, 'time'),
  sideTopics: ['**/sync', '**/accesslist'],
};
