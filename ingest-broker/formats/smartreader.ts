import { type FrameFormat, listFindings } from './frame-format.js';
import { fieldOf } from './json-frames.js';
import { epochOf, hexText, textOf } from './values.js';

/** The SmartReader app on Impinj readers: a list of reads; times are microseconds. */
export const smartreader: FrameFormat = {
  findings: (frame) =>
    listFindings(frame, 'tag_reads', (read, path) => {
      const epc = textOf(fieldOf(read, 'epc'));
      return {
        tagType: 'rfid',
        value: epc === undefined ? undefined : hexText(epc),
        path: `${path}.epc`,
        antenna: fieldOf(read, 'antennaPort'),
        rssi: fieldOf(read, 'peakRssi'),
        timeMs: epochOf(fieldOf(read, 'firstSeenTimestamp'), 'us'),
      };
    }),
  statusFields: ['readerName', 'mac', 'site', 'status', 'smartreader-status', 'smartreader-mqtt-status'],
};
