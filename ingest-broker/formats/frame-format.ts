import { isUsableValue, type TagRead, type TagType } from '../../server/index.js';
import type { Format, FormatInput, Understanding } from './format.js';
import { type Frame, type Frames, fieldOf, isFrame, readFrames, valuesMax } from './json-frames.js';
import { antennaOf, rssiOf } from './values.js';

/** A possible read: its raw parts, or its problem. */
export type Finding =
  | {
      tagType: TagType;
      /** Undefined if it could not be parsed. */
      value: string | undefined;
      /** The path of the value, for the reason of a rejection. */
      path: string;
      antenna?: unknown;
      rssi?: unknown;
      timeMs?: number | null;
    }
  | { flaw: string };

/** A vendor's JSON format of reads. */
export type FrameFormat = {
  /** Returns the possible reads; undefined for an object that has none of the format's read fields. */
  findings(frame: Frame, input: FormatInput): Finding[] | undefined;
  /** Other fields that the vendor documents: an object with one of them is a status. */
  statusFields: readonly string[];
};

/**
 * Returns a format that parses a payload as JSON objects of a vendor. If some reads are invalid, the valid ones count.
 */
export function jsonFormat(format: FrameFormat): Format {
  return (input) => {
    const found = readFrames(input.payload);
    if (found) return understandFrames(format, found, input);
    return input.onReadsTopic ? { kind: 'rejected', reason: 'the payload is not JSON' } : { kind: 'status' };
  };
}

/** Does the same with a payload that was parsed already. */
export function understandFrames(format: FrameFormat, found: Frames, input: FormatInput): Understanding {
  const reads: TagRead[] = [];
  let flaw: string | undefined;
  let unknownFrames = found.hasOther ? 1 : 0;
  let examined = 0;
  for (const frame of found.frames) {
    const findings = format.findings(frame, input);
    if (!findings && !format.statusFields.some((field) => Object.hasOwn(frame, field))) unknownFrames += 1;
    for (const finding of findings ?? []) {
      const read = readOf(finding);
      if (typeof read === 'string') flaw ??= read;
      else reads.push(read);
    }
    examined += findings?.length ?? 0;
    if (examined >= valuesMax) break;
  }
  if (reads.length > 0) return { kind: 'reads', reads };
  if (flaw !== undefined) return { kind: 'rejected', reason: flaw };
  if (unknownFrames > 0 && input.onReadsTopic)
    return { kind: 'rejected', reason: 'the payload has none of the fields expected' };
  return { kind: 'status' };
}

function readOf(finding: Finding): TagRead | string {
  if ('flaw' in finding) return finding.flaw;
  const { tagType, value, path, antenna, rssi, timeMs = null } = finding;
  if (value === undefined || value === '') return `${path} is missing or no text`;
  if (!isUsableValue(value)) return `${path} is no value that a tag can have`;
  return { tagType, value, antenna: antennaOf(antenna), rssiDbm: rssiOf(rssi), observedAtMs: timeMs };
}

/** Returns the possible reads in a list of objects, the first `valuesMax` of them; undefined if the frame has no such list. */
export function listFindings(
  frame: Frame,
  key: string,
  finding: (item: Frame, path: string) => Finding,
): Finding[] | undefined {
  const list = fieldOf(frame, key);
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) return [{ flaw: `${key} is not a list` }];
  return list.slice(0, valuesMax).map((item: unknown, index) => {
    const path = `${key}[${index}]`;
    return isFrame(item) ? finding(item, path) : { flaw: `${path} is not an object` };
  });
}
