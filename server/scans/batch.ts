import type { ReaderMessage, TagRead } from './reader-message.js';

/** A message with the instant it was received, which stays the same however often storing it is tried. */
export type ReceivedMessage = { message: ReaderMessage; receivedAtMs: number };

/** A read of a batch with the numbers, from 0, of its antenna and its tag value. */
export type BatchRead = {
  antenna: number;
  tag: number;
  rssiDbm: number | null;
  /** The reader's own time, where it could be read, in epoch milliseconds. */
  observedAtMs: number | null;
  receivedAtMs: number;
};

/**
 * The messages of many readers, sorted by what the statements ask for: each reader, antenna and tag value once, as parallel
 * arrays. The number of a reader in `antennas.readerNumbers` is its place in `heard`, from 1.
 */
export type ReadBatch = {
  /** Readers that sent something, with the receipt of their latest message. */
  heard: { orgIds: number[]; readerIds: number[]; atMs: number[] };
  antennas: { readerNumbers: number[]; ports: number[] };
  tags: { orgIds: number[]; types: string[]; values: string[] };
  reads: BatchRead[];
  /** Payloads as base64: an array of byte strings has no other common form. */
  rejected: { readerIds: number[]; topics: string[]; reasons: string[]; payloads: string[]; atMs: number[] };
};

/** Sorts messages into a batch, in their order. */
export function batchOf(messages: readonly ReceivedMessage[]): ReadBatch {
  const batch: ReadBatch = {
    heard: { orgIds: [], readerIds: [], atMs: [] },
    antennas: { readerNumbers: [], ports: [] },
    tags: { orgIds: [], types: [], values: [] },
    reads: [],
    rejected: { readerIds: [], topics: [], reasons: [], payloads: [], atMs: [] },
  };
  const numbering: Numbering = { readers: new Map(), antennas: new Map(), tags: new Map() };
  for (const received of messages) {
    const readerNumber = numberReader(batch, numbering, received);
    const { content } = received.message;
    if (content.kind === 'rejected') addRejected(batch, received, content);
    if (content.kind === 'reads') {
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

/** The reader's number, from 1. */
function numberReader(
  { heard }: ReadBatch,
  { readers }: Numbering,
  { message, receivedAtMs }: ReceivedMessage,
): number {
  const known = readers.get(message.readerId);
  if (known !== undefined) {
    heard.atMs[known - 1] = Math.max(heard.atMs[known - 1] ?? 0, receivedAtMs);
    return known;
  }
  heard.orgIds.push(message.orgId);
  heard.readerIds.push(message.readerId);
  heard.atMs.push(receivedAtMs);
  readers.set(message.readerId, heard.readerIds.length);
  return heard.readerIds.length;
}

const portsMax = 65_536;

function addRead(
  { antennas, tags, reads }: ReadBatch,
  numbering: Numbering,
  { received, readerNumber, read }: { received: ReceivedMessage; readerNumber: number; read: TagRead },
): void {
  const { orgId } = received.message;
  const antennaKey = readerNumber * portsMax + read.antenna;
  let antenna = numbering.antennas.get(antennaKey);
  if (antenna === undefined) {
    antenna = antennas.ports.length;
    numbering.antennas.set(antennaKey, antenna);
    antennas.readerNumbers.push(readerNumber);
    antennas.ports.push(read.antenna);
  }
  const kind = `${orgId} ${read.tagType}`;
  let values = numbering.tags.get(kind);
  if (!values) numbering.tags.set(kind, (values = new Map<string, number>()));
  let tag = values.get(read.value);
  if (tag === undefined) {
    tag = tags.values.length;
    values.set(read.value, tag);
    tags.orgIds.push(orgId);
    tags.types.push(read.tagType);
    tags.values.push(read.value);
  }
  reads.push({
    antenna,
    tag,
    rssiDbm: read.rssiDbm,
    observedAtMs: read.observedAtMs,
    receivedAtMs: received.receivedAtMs,
  });
}

function addRejected(
  { rejected }: ReadBatch,
  { message, receivedAtMs }: ReceivedMessage,
  { reason, payload }: { reason: string; payload: Uint8Array },
): void {
  rejected.readerIds.push(message.readerId);
  rejected.topics.push(message.topic);
  rejected.reasons.push(reason);
  rejected.payloads.push(Buffer.from(payload).toString('base64'));
  rejected.atMs.push(receivedAtMs);
}
