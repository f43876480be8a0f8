import { isUsableValue, type TagRead, type TagType } from '../../server/index.js';
import type { Format, FormatInput, Understanding } from './format.js';
import { type Frame, type Frames, fieldOf, isFrame, readFrames, valuesMax } from './json-frames.js';
import { resemblesRead } from './resembles-read.js';
import { type RawTelemetry, telemetryOf } from './telemetry.js';
import { isSentinel, numberOf, portOf, rssiOf } from './values.js';

const antennaDefault = 1;

/** A possible read: its raw parts, its problem, or what the device reports instead of a read. */
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
      /** The device says that the BLE address is a public one, which never changes. */
      isPublic?: boolean;
      telemetry?: RawTelemetry | undefined;
    }
  | { flaw: string }
  /** The device says that a tag is gone, or only that it is alive itself. */
  | { noRead: true };

/** A vendor's JSON format of reads. */
export type FrameFormat = {
  /** Returns the possible reads; undefined for an object that has none of the format's read fields. */
  findings(frame: Frame, input: FormatInput): Finding[] | undefined;
  /**
   * Returns whether an object is a status that the vendor documents, by a combination of fields that no read has. What
   * resembles a read is none in any case.
   */
  isStatus(frame: Frame, input: FormatInput): boolean;
  /** Topics beside the one of the reads (`side-topics.ts`). */
  sideTopics?: readonly string[];
  /** Whether each read has an RSSI: an object without one is none, but reports that a tag is gone. */
  alwaysHasRssi?: boolean;
};

/** Returns a format that parses a payload as JSON objects of a vendor. If some reads are invalid, the valid ones count. */
export function jsonFormat(format: FrameFormat): Format {
  return (input) => {
    const found = readFrames(input.payload);
    if (!('unreadable' in found)) return understandFrames(format, found, input);
    return input.onReadsTopic ? { kind: 'rejected', reason: found.unreadable } : { kind: 'status' };
  };
}

/** Does the same with a payload that was parsed already. */
export function understandFrames(format: FrameFormat, found: Frames, input: FormatInput): Understanding {
  const reads: TagRead[] = [];
  let flaw = found.loss;
  let isUnknown = found.hasOther;
  let examined = 0;
  for (const frame of found.frames) {
    const findings = format.findings(frame, input);
    if (!findings && !(format.isStatus(frame, input) && !resemblesRead(frame))) isUnknown = true;
    for (const finding of findings ?? []) {
      const read = readOf(finding, format);
      if (typeof read === 'string') flaw ??= read;
      else if (read) reads.push(read);
    }
    examined += findings?.length ?? 0;
    if (examined >= valuesMax) break;
  }
  if (isUnknown) flaw ??= nothingExpected;
  if (reads.length > 0) return { kind: 'reads', reads, ...(flaw !== undefined && { loss: flaw }) };
  const isReported = flaw !== undefined && (flaw !== nothingExpected || input.onReadsTopic);
  return isReported ? { kind: 'rejected', reason: flaw as string } : { kind: 'status' };
}

export const nothingExpected = 'the payload has none of the fields expected';

/** Returns the read of a finding, what is wrong with it, or undefined if it is none. */
export function readOf(
  finding: Finding,
  { alwaysHasRssi = false }: Pick<FrameFormat, 'alwaysHasRssi'> = {},
): TagRead | string | undefined {
  if ('noRead' in finding) return undefined;
  if ('flaw' in finding) return finding.flaw;
  const { tagType, value, path, antenna, timeMs = null, isPublic = false } = finding;
  const telemetry = finding.telemetry && telemetryOf(finding.telemetry);
  if (value === undefined || value === '') return `${path} is missing or no text`;
  if (isSentinel(value, tagType)) return undefined;
  if (!isUsableValue(value)) return `${path} is no value that a tag can have`;
  const given = finding.rssi ?? undefined;
  if (alwaysHasRssi && given === undefined) return undefined;
  if (tagType === 'ble' && numberOf(given) === 0) return undefined;
  return {
    ...{ tagType, value, antenna: portOf(antenna) ?? antennaDefault },
    ...{ rssiDbm: rssiOf(given), observedAtMs: timeMs },
    ...(isPublic && { isPublic }),
    ...(telemetry && { telemetry }),
  };
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
