import type { TagType } from '../../server/index.js';
import { type FrameFormat, listFindings } from './frame-format.js';
import { fieldOf } from './json-frames.js';
import { dateTimeOf, textOf } from './values.js';

const tagTypes: readonly TagType[] = ['rfid', 'ble', 'barcode'];

/** The service's own format, for programmable devices. Values are stored unchanged. */
export const native: FrameFormat = {
  findings: (frame) =>
    listFindings(frame, 'reads', (read, path) => {
      const given = fieldOf(read, 'tag_type') ?? 'rfid';
      const tagType = tagTypes.find((type) => type === given);
      if (!tagType) return { flaw: `${path}.tag_type is not one of ${tagTypes.join(', ')}` };
      return {
        tagType,
        value: textOf(fieldOf(read, 'value')),
        path: `${path}.value`,
        antenna: fieldOf(read, 'antenna'),
        rssi: fieldOf(read, 'rssi_dbm'),
        timeMs: dateTimeOf(fieldOf(read, 'observed_at')),
      };
    }),
  isStatus: () => false,
};
