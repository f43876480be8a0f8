import { isUsableValue, type TagRead, type TagType, type Telemetry } from '../../server/parsing.js';
import { isGone, isGoneAround } from './departures.js';
import { contentOf, type Format, type FormatInput, type Understanding } from './format.js';
import { type Frame, type Frames, fieldOf, isFrame, readFrames, valuesMax } from './json-frames.js';
import { resemblesRead } from './resembles-read.js';
import { type RawTelemetry, telemetryOf } from './telemetry.js';
import { usualTimeIn } from './times.js';
import { cancel, isNothing, numberOf, portOf, rssiOf } from './values.js';

const antennaDefault = 1;

/** A possible read: its raw parts, its problem, or what the device reports instead of a read. */
export type Finding =
  | {
      tagType: TagType;
      /** The identifier (`identifierOf`, `hexOf`, `macOf`), or what stands in its place. */
      value: unknown;
      /** The path of the value, for the reason of a rejection. */
      path: string;
      antenna?: unknown;
      rssi?: unknown;
      /**
       * Null or missing: a field of a usual name counts. `unused`: the page of the format documents that the times of the
       * device are not used.
       */
      timeMs?: number | null | 'unused';
      /** The device reports that the BLE address is a public one, which never changes. */
      isPublic?: boolean;
      telemetry?: RawTelemetry | undefined;
      /** A distance that the device has estimated, which shows that it receives the tag. */
      distance?: unknown;
      /** The object of the tag, if it is an object in the frame. */
      item?: Frame;
    }
  | { flaw: string }
  /** The device reports that a tag is gone, or only that the device works. */
  | { noRead: true };

type PossibleRead = Extract<Finding, { tagType: TagType }>;

/** A vendor's JSON format of reads. */
export type FrameFormat = {
  /** Returns the possible reads; undefined for an object that has none of the format's read fields. */
  findings(frame: Frame, input: FormatInput): Finding[] | undefined;
  /**
   * Returns whether an object is a status that the vendor documents, by a combination of fields that no read has. What
   * resembles a read is none in any case.
   */
  isStatus(frame: Frame, input: FormatInput): boolean;
  /**
   * Returns whether an object with the format's list is one of the format's, for automatic detection. Many makes call
   * their list `tags` or `reads`, with the other fields of other names.
   */
  isOwn?(frame: Frame): boolean;
  /** Topics beside the one of the reads (`side-topics.ts`). */
  sideTopics?: readonly string[];
  /** Whether each read has an RSSI: an object without one, in which nothing of the tag is measured, is none. */
  alwaysHasRssi?: boolean;
};

/** Returns a format that parses a payload as JSON objects of a vendor. If some reads are invalid, the valid ones count. */
export function jsonFormat(format: FrameFormat): Format {
  return (input) => {
    const found = readFrames(contentOf(input));
    if (!('unreadable' in found)) return understandFrames(format, found, input);
    return input.onReadsTopic ? { kind: 'rejected', reason: found.unreadable } : { kind: 'status' };
  };
}

/** Does the same with a payload that was parsed already. */
export function understandFrames(format: FrameFormat, found: Frames, input: FormatInput): Understanding {
  const result = newResult(found.loss);
  const { exact } = found;
  let isUnknown = found.hasOther;
  let examined = 0;
  for (const frame of found.frames) {
    const findings = format.findings(frame, input);
    if (!findings && !isUnknown) isUnknown = !format.isStatus(frame, input) || resemblesRead(frame);
    if (!findings || findings.length === 0) continue;
    const options = { alwaysHasRssi: format.alwaysHasRssi ?? false, around: [frame] };
    let areGone: boolean | undefined;
    for (const finding of findings) {
      if ('tagType' in finding) {
        // The digits of a number stay as they were sent.
        if (typeof finding.value === 'number' && exact) return understandFrames(format, exact(), input);
        const { item } = finding;
        if (item === undefined ? isGone(frame) : isGone(item) || (areGone ??= isGoneAround(frame))) continue;
      }
      addFinding(result, finding, options);
    }
    examined += findings.length;
    if (examined >= valuesMax) break;
  }
  if (isUnknown) result.flaw ??= nothingExpected;
  return outcomeOf(result, input.onReadsTopic || result.flaw !== nothingExpected);
}

export const nothingExpected = 'the payload has none of the fields expected';

/** What a message has, as far as it was examined. */
export type Result = { reads: TagRead[]; flaw: string | undefined; unusedTime: string | undefined };

export function newResult(flaw?: string): Result {
  return { reads: [], flaw, unusedTime: undefined };
}

/** @param isReported whether a message without reads is rejected for its flaw */
export function outcomeOf({ reads, flaw, unusedTime }: Result, isReported: boolean): Understanding {
  if (reads.length > 0) {
    return {
      kind: 'reads',
      reads,
      ...(flaw !== undefined && { loss: flaw }),
      ...(unusedTime !== undefined && { unusedTime }),
    };
  }
  return flaw !== undefined && isReported ? { kind: 'rejected', reason: flaw } : { kind: 'status' };
}

type ReadOptions = Pick<FrameFormat, 'alwaysHasRssi'> & {
  /** Objects around the object of the tag that may have the time, the innermost first. */
  around?: readonly unknown[];
};

/** Adds the read of a finding, or what is wrong with it. */
export function addFinding(result: Result, finding: Finding, options: ReadOptions = {}): void {
  if ('noRead' in finding) return;
  const read = 'flaw' in finding ? finding.flaw : readOf(finding, options);
  if (typeof read === 'string') result.flaw ??= read;
  if (typeof read !== 'object' || 'flaw' in finding) return;
  result.reads.push(read);
  if (read.observedAtMs !== null || finding.timeMs === 'unused') return;
  const { ms, unused } = usualTimeIn([finding.item, ...(options.around ?? [])]);
  read.observedAtMs = ms;
  result.unusedTime ??= unused;
}

/** Returns the read of a finding, what is wrong with it, or undefined if it is none. */
function readOf(finding: PossibleRead, { alwaysHasRssi = false }: ReadOptions): TagRead | string | undefined {
  const { tagType, path, antenna, timeMs = null, isPublic = false } = finding;
  const value = typeof finding.value === 'number' ? String(finding.value) : finding.value;
  if (typeof value !== 'string' || value === '') return `${path} ${whatIs(value)}`;
  if (isNothing(value, tagType)) return undefined;
  if (!isUsableValue(value)) return value === cancel ? undefined : `${path} is no value that a tag can have`;
  const telemetry = finding.telemetry && telemetryOf(finding.telemetry);
  const given = finding.rssi ?? undefined;
  if (alwaysHasRssi && given === undefined && isWithoutLevel(finding, telemetry)) return undefined;
  if (tagType === 'ble' && numberOf(given) === 0) return undefined;
  const read: TagRead = {
    tagType,
    value,
    antenna: portOf(antenna) ?? antennaDefault,
    rssiDbm: rssiOf(given),
    observedAtMs: timeMs === 'unused' ? null : timeMs,
  };
  if (isPublic) read.isPublic = true;
  if (telemetry) read.telemetry = telemetry;
  return read;
}

/** Describes an identifier that is no text. */
function whatIs(value: unknown): string {
  if (value === undefined || value === null) return 'is missing';
  if (value === '') return 'is empty';
  if (Array.isArray(value)) return 'is a list';
  return typeof value === 'object' ? 'is an object' : `is ${JSON.stringify(value)}`;
}

const measured = ['battery', 'voltage', 'temperature', 'humidity'] as const;

/** Returns whether a possible read has neither a level nor anything else that was measured of the tag. */
export function isWithoutLevel({ rssi, distance, telemetry: raw }: PossibleRead, known?: Telemetry): boolean {
  if ((rssi ?? undefined) !== undefined || numberOf(distance) !== undefined) return false;
  const telemetry = known ?? (raw && telemetryOf(raw));
  return !telemetry || measured.every((quantity) => telemetry[quantity] === undefined);
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
  if (isGoneAround(frame)) return [];
  return list.slice(0, valuesMax).map((item: unknown, index) => {
    const path = `${key}[${index}]`;
    return isFrame(item) ? withItem(finding(item, path), item) : { flaw: `${path} is not an object` };
  });
}

function withItem(finding: Finding, item: Frame): Finding {
  if ('tagType' in finding) finding.item ??= item;
  return finding;
}
