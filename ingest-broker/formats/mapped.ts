import type { Mapping } from '../../server/index.js';
import type { Finding, FrameFormat } from './frame-format.js';
import { type Frame, fieldOf, isFrame, valuesMax } from './json-frames.js';
import { dateTimeOf, epochOf, hexText, macText, textOf } from './values.js';

/** Any other JSON, with paths that the user configures. */
export const mapped: FrameFormat = {
  findings(frame, { mapping }) {
    if (!mapping) return [{ flaw: 'the reader has no mapping' }];
    if (mapping.list === undefined) {
      return at(frame, mapping.value) === undefined ? undefined : [findingOf(frame, mapping, mapping.value)];
    }
    const { list: path } = mapping;
    const list = at(frame, path);
    if (list === undefined) return undefined;
    const items: unknown[] = Array.isArray(list) ? list : [list];
    return items
      .slice(0, valuesMax)
      .map((item, index) =>
        isFrame(item)
          ? findingOf(item, mapping, `${path}[${index}].${mapping.value}`)
          : { flaw: `${path}[${index}] is not an object` },
      );
  },
  statusFields: [],
};

function findingOf(item: Frame, mapping: Mapping, path: string): Finding {
  const { antenna, rssi, time } = mapping;
  return {
    tagType: mapping.tag_type,
    value: valueOf(at(item, mapping.value), mapping),
    path,
    antenna: antenna === undefined ? undefined : at(item, antenna),
    rssi: rssi === undefined ? undefined : at(item, rssi),
    timeMs: time === undefined ? null : timeOf(at(item, time), mapping),
  };
}

function valueOf(value: unknown, { tag_type: tagType }: Mapping): string | undefined {
  const text = textOf(value);
  if (text === undefined || tagType === 'barcode') return text;
  return tagType === 'ble' ? macText(text) : hexText(text);
}

function timeOf(value: unknown, { time_unit: unit }: Mapping): number | null {
  return unit === 'rfc3339' ? dateTimeOf(value) : epochOf(value, unit);
}

/** Returns the value at a dotted path; undefined if the path does not exist. Reads no further than the path exists. */
function at(frame: Frame, path: string): unknown {
  let value: unknown = frame;
  let begin = 0;
  do {
    if (!isFrame(value)) return undefined;
    const dot = path.indexOf('.', begin);
    const end = dot === -1 ? path.length : dot;
    value = fieldOf(value, path.slice(begin, end));
    begin = end + 1;
  } while (begin <= path.length);
  return value;
}
