import type { TagType } from '../../things/tags/schemas.js';
import type { Telemetry } from '../../things/telemetry/quantities.js';
import { checkText, type TextRule } from '../../kernel/validation/fields.js';

/** One sighting of a tag, as parsed by a format. */
export type TagRead = {
  tagType: TagType;
  /** 1 to 255 code points. */
  value: string;
  antenna: number;
  rssiDbm: number | null;
  /** The reader's own time in epoch milliseconds, or null if it could not be parsed. */
  observedAtMs: number | null;
  /** Whether the reader reports the BLE address as public. A public address is never ignored as a private address. */
  isPublic?: boolean;
  /** What the tag measures, if the message contains it. */
  telemetry?: Telemetry;
};

/** The part of a message that could not be parsed; the reason names its position. */
type Loss = { reason: string; payload: Uint8Array };

/** The content of a message. A status is a heartbeat without reads. */
export type MessageContent =
  | { kind: 'reads'; reads: readonly TagRead[]; loss?: Loss }
  | { kind: 'status' }
  | ({ kind: 'rejected' } & Loss);

/** A message from an entry point. Its sender is known from the login. */
export type ReaderMessage = {
  orgId: number;
  readerId: number;
  topic: string;
  content: MessageContent;
  /** Whether a person sent it from the app: its reads count, but it is not a heartbeat of the reader. */
  isTest?: boolean;
};

/** Bytes that are kept of a rejected message. */
export const rejectedPayloadBytesMax = 65_536;

/** The contract's rule for tag values (contract 2.4). */
export const tagValueRule: TextRule = {
  min: 1,
  max: 255,
  pattern: /^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$/,
  words: 'no control characters other than tab, LF and CR',
};

const antennaMax = 65_535;
const reasonLengthMax = 500;

/** Returns whether a read can be stored. A read that cannot be stored would make its whole batch fail. */
export function isUsableRead(read: TagRead): boolean {
  return isUsableValue(read.value) && Number.isInteger(read.antenna) && read.antenna >= 0 && read.antenna <= antennaMax;
}

/** Returns whether a tag could have the value. A value that cannot be attached need not be counted as unknown. */
export function isUsableValue(value: string): boolean {
  return typeof checkText(value, tagValueRule) === 'string';
}

/** Returns the message without anything that a column cannot store. RSSI is finite, times are whole milliseconds. */
export function storableMessage(message: ReaderMessage): ReaderMessage {
  const { content } = message;
  if (content.kind === 'status') return message;
  if (content.kind === 'rejected') {
    return { ...message, topic: storableText(message.topic), content: { kind: 'rejected', ...storableLoss(content) } };
  }
  const { reads, loss } = content;
  const areStorable = reads.every(isStorable);
  if (areStorable && !loss) return message;
  const storable = areStorable ? reads : reads.filter(isUsableRead).map(storableRead);
  return {
    ...message,
    topic: storableText(message.topic),
    content: { kind: 'reads', reads: storable, ...(loss && { loss: storableLoss(loss) }) },
  };
}

function storableLoss({ reason, payload }: Loss): Loss {
  return {
    reason: storableText(reason).slice(0, reasonLengthMax),
    // A copy: the original may be a view of a buffer many times its size.
    payload: new Uint8Array(payload.subarray(0, rejectedPayloadBytesMax)),
  };
}

function isStorable(read: TagRead): boolean {
  const { rssiDbm, observedAtMs } = read;
  return (
    isUsableRead(read) &&
    (rssiDbm === null || Number.isFinite(rssiDbm)) &&
    (observedAtMs === null || Number.isInteger(observedAtMs))
  );
}

function storableRead(read: TagRead): TagRead {
  const { rssiDbm, observedAtMs } = read;
  return {
    ...read,
    rssiDbm: rssiDbm !== null && Number.isFinite(rssiDbm) ? rssiDbm : null,
    observedAtMs: observedAtMs !== null && Number.isFinite(observedAtMs) ? Math.trunc(observedAtMs) : null,
  };
}

function storableText(text: string): string {
  return text.replaceAll('\0', '\u{fffd}').toWellFormed();
}
