import { antennaKey } from '../../locating/index.js';
import type { Telemetry } from '../../things/telemetry/quantities.js';
import type { ReaderMessage, TagRead } from './reader-message.js';

/** A message with the instant of its receipt, which stays the same when storing is retried. */
export type ReceivedMessage = { message: ReaderMessage; receivedAtMs: number };

/** A read of a batch; its antenna and tag value are indexes from 0. */
export type BatchRead = {
  antenna: number;
  tag: number;
  rssiDbm: number | null;
  /** The reader's own time in epoch milliseconds, or null if it could not be parsed. */
  observedAtMs: number | null;
  receivedAtMs: number;
  isPublic: boolean;
  telemetry: Telemetry | undefined;
};

/** The messages of many readers in the form that the statements need: each reader, antenna and tag value once. */
export type ReadBatch = {
  /**
   * The readers that sent something, with the time of receipt of their latest message. `isTest`: they sent only test
   * reads.
   */
  senders: { orgId: number; readerId: number; atMs: number; isTest: boolean }[];
  /** Antennas, each with the number of its reader in `senders`, from 1. */
  antennas: { readerNumber: number; port: number }[];
  tags: { orgId: number; type: string; value: string }[];
  reads: BatchRead[];
  rejected: RejectedMessage[];
};

/**
 * A message that could not be parsed, or only in part. The payload is base64, since JSON has no array of byte strings.
 */
export type RejectedMessage = { readerId: number; topic: string; reason: string; payload: string; atMs: number };

/** Builds a batch from messages and keeps their order. */
export function batchOf(messages: readonly ReceivedMessage[]): ReadBatch {
  const batch: ReadBatch = { senders: [], antennas: [], tags: [], reads: [], rejected: [] };
  const numbering: Numbering = { readers: new Map(), antennas: new Map(), tags: new Map() };
  for (const received of messages) {
    const readerNumber = numberReader(batch, numbering, received);
    const { content } = received.message;
    if (content.kind === 'rejected') addRejected(batch, received, content);
    if (content.kind === 'reads') {
      if (content.loss) addRejected(batch, received, content.loss);
      for (const read of content.reads) addRead(batch, numbering, { received, readerNumber, read });
    }
  }
  return batch;
}

type Numbering = {
  readers: Map<number, number>;
  /** By reader number and port. */
  antennas: Map<number, number>;
  /** By organization and type, then by value. */
  tags: Map<string, Map<string, number>>;
};

/** Returns the reader's number, from 1. */
function numberReader(
  { senders }: ReadBatch,
  { readers }: Numbering,
  { message: { orgId, readerId, isTest = false }, receivedAtMs }: ReceivedMessage,
): number {
  const known = readers.get(readerId);
  if (known !== undefined) {
    const reader = senders[known - 1];
    if (reader) {
      reader.atMs = Math.max(reader.atMs, receivedAtMs);
      reader.isTest &&= isTest;
    }
    return known;
  }
  const number = senders.push({ orgId, readerId, atMs: receivedAtMs, isTest });
  readers.set(readerId, number);
  return number;
}

function addRead(
  { antennas, tags, reads }: ReadBatch,
  numbering: Numbering,
  { received, readerNumber, read }: { received: ReceivedMessage; readerNumber: number; read: TagRead },
): void {
  const { orgId } = received.message;
  const key = antennaKey(readerNumber, read.antenna);
  let antenna = numbering.antennas.get(key);
  if (antenna === undefined) {
    antenna = antennas.push({ readerNumber, port: read.antenna }) - 1;
    numbering.antennas.set(key, antenna);
  }
  const kind = `${orgId} ${read.tagType}`;
  let values = numbering.tags.get(kind);
  if (!values) numbering.tags.set(kind, (values = new Map<string, number>()));
  let tag = values.get(read.value);
  if (tag === undefined) {
    tag = tags.push({ orgId, type: read.tagType, value: read.value }) - 1;
    values.set(read.value, tag);
  }
  reads.push({
    antenna,
    tag,
    rssiDbm: read.rssiDbm,
    observedAtMs: read.observedAtMs,
    receivedAtMs: received.receivedAtMs,
    isPublic: read.isPublic === true,
    telemetry: read.telemetry,
  });
}

function addRejected(
  { rejected }: ReadBatch,
  { message, receivedAtMs }: ReceivedMessage,
  { reason, payload }: { reason: string; payload: Uint8Array },
): void {
  rejected.push({
    readerId: message.readerId,
    topic: message.topic,
    reason,
    payload: Buffer.from(payload).toString('base64'),
    atMs: receivedAtMs,
  });
}
