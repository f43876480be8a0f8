import { type FrameFormat, listFindings } from './frame-format.js';
import { type Frame, fieldOf } from './json-frames.js';
import { epochOf, hexOf } from './values.js';

/** Events of the app, each with a field of this name beside the name of the reader. */
const events = ['status', 'smartreader-status', 'smartreader-mqtt-status', 'eventType'];

/**
 * The SmartReader app on Impinj readers: a list of reads; times are microseconds. Its keepalives and inventory events
 * are entries of the list too. Facts: the documentation and source of SmartReader (`smartreader-standalone`).
 */
export const smartreader: FrameFormat = {
  findings: (frame) =>
    listFindings(frame, 'tag_reads', (read, path) => {
      if (isRecordOfApp(read)) return { noRead: true };
      return {
        tagType: 'rfid',
        value: hexOf(fieldOf(read, 'epc')),
        path: `${path}.epc`,
        antenna: fieldOf(read, 'antennaPort'),
        rssi: fieldOf(read, 'peakRssi'),
        timeMs: epochOf(fieldOf(read, 'firstSeenTimestamp'), 'us'),
      };
    }),
  isStatus: (frame) =>
    events.some(
      (name) => Object.hasOwn(frame, name) && (Object.hasOwn(frame, 'readerName') || name.startsWith('smartreader-')),
    ),
};

function isRecordOfApp(read: Frame): boolean {
  return fieldOf(read, 'isHeartBeat') === true || fieldOf(read, 'isInventoryStatus') === true;
}
