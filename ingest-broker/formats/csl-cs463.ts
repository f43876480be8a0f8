import { type FrameFormat, listFindings } from './frame-format.js';
import { fieldOf, isFrame } from './json-frames.js';
import { epochOf, hexOf, localTimeOf, numberOf } from './values.js';

const ownFields = ['antennaPort', 'timeStampOfRead', 'timeOfRead', 'capturePointName'];

/**
 * CSL CS463: a list of tags, whose RSSI is text. Its data formats are configurable. The preloaded ones have either
 * `timeStampOfRead` in microseconds, whose `timeZone` is only informative, or `timeOfRead` in local time, with the
 * offset in `timeZone` beside the list. Facts: the data formats that CSL's web interface and manual show.
 */
export const cslCs463: FrameFormat = {
  findings: (frame) =>
    listFindings(frame, 'tags', (tag, path) => {
      const zone = fieldOf(tag, 'timeZone') ?? fieldOf(frame, 'timeZone');
      return {
        tagType: 'rfid',
        value: hexOf(fieldOf(tag, 'epc')),
        path: `${path}.epc`,
        antenna: fieldOf(tag, 'antennaPort'),
        rssi: fieldOf(tag, 'rssi'),
        timeMs:
          epochOf(fieldOf(tag, 'timeStampOfRead') ?? fieldOf(tag, 'timeOfRead'), 'us') ??
          localTimeOf(fieldOf(tag, 'timeOfRead'), zone),
      };
    }),
  isStatus: (frame) =>
    Object.hasOwn(frame, 'rfidReaderName') &&
    (numberOf(fieldOf(frame, 'numberOfTags')) === 0 || (Object.hasOwn(frame, 'tags') && frame['tags'] === null)),
  isOwn(frame) {
    if (['rfidReaderName', 'numberOfTags'].some((name) => Object.hasOwn(frame, name))) return true;
    const tags = fieldOf(frame, 'tags');
    const first: unknown = Array.isArray(tags) ? tags[0] : undefined;
    return isFrame(first) && ownFields.some((name) => Object.hasOwn(first, name));
  },
};
