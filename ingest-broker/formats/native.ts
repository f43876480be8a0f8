import type { TagType } from '../../server/parsing.js';
import { type FrameFormat, listFindings } from './frame-format.js';
import { fieldOf, isFrame } from './json-frames.js';
import { dateTimeOf, identifierOf } from './values.js';

const tagTypes: readonly TagType[] = ['rfid', 'ble', 'barcode'];

const ownFields = ['value', 'tag_type', 'rssi_dbm', 'observed_at'];

/** The service's own format, for programmable devices. Values are stored unchanged. */
export const native: FrameFormat = {
  findings: (frame) =>
    listFindings(frame, 'reads', (read, path) => {
      const given = fieldOf(read, 'tag_type') ?? 'rfid';
      const tagType = tagTypes.find((type) => type === given);
      if (!tagType) return { flaw: `${path}.tag_type is not one of ${tagTypes.join(', ')}` };
      return {
        tagType,
        value: identifierOf(fieldOf(read, 'value')),
        path: `${path}.value`,
        antenna: fieldOf(read, 'antenna'),
        rssi: fieldOf(read, 'rssi_dbm'),
        timeMs: dateTimeOf(fieldOf(read, 'observed_at')),
      };
    }),
  isStatus: () => false,
  isOwn(frame) {
    const reads = fieldOf(frame, 'reads');
    const first: unknown = Array.isArray(reads) ? reads[0] : undefined;
    return Array.isArray(reads) && (!isFrame(first) || ownFields.some((name) => Object.hasOwn(first, name)));
  },
};
