import { type FrameFormat, listFindings } from './frame-format.js';
import { fieldOf } from './json-frames.js';
import { epochOf, hexText, textOf } from './values.js';

/** CSL CS463: a list of tags; times are microseconds, RSSI is text. `timeZone` is only informative. */
export const cslCs463: FrameFormat = {
  findings: (frame) =>
    listFindings(frame, 'tags', (tag, path) => {
      const epc = textOf(fieldOf(tag, 'epc'));
      return {
        tagType: 'rfid',
        value: epc === undefined ? undefined : hexText(epc),
        path: `${path}.epc`,
        antenna: fieldOf(tag, 'antennaPort'),
        rssi: fieldOf(tag, 'rssi'),
        timeMs: epochOf(fieldOf(tag, 'timeStampOfRead'), 'us'),
      };
    }),
  statusFields: ['sequenceNumber', 'rfidReaderName', 'rfidReaderSerialNumber', 'numberOfTags'],
};
