import type { ReaderMessage } from './reader-message.js';

/** A message with the instant it was received, which stays the same however often storing it is tried. */
export type ReceivedMessage = { message: ReaderMessage; receivedAtMs: number };

/** The reads of many readers as parallel arrays; each place and each tag stands in them once. Indices begin at 1. */
export type ReadBatch = {
  heard: { orgIds: number[]; readerIds: number[]; atMs: number[] };
  places: { orgIds: number[]; readerIds: number[]; antennas: number[] };
  tags: { orgIds: number[]; types: string[]; values: string[] };
  reads: {
    places: number[];
    tags: number[];
    rssiDbm: (number | null)[];
    observedAtMs: (number | null)[];
    receivedAtMs: number[];
  };
  /** Payloads as base64: an array of byte strings has no other common form. */
  rejected: { readerIds: number[]; topics: string[]; reasons: string[]; payloads: string[]; atMs: number[] };
};

/** Sorts messages into a batch, in their order. */
export function batchOf(messages: readonly ReceivedMessage[]): ReadBatch {
  const batch: ReadBatch = {
    heard: { orgIds: [], readerIds: [], atMs: [] },
    places: { orgIds: [], readerIds: [], antennas: [] },
    tags: { orgIds: [], types: [], values: [] },
    reads: { places: [], tags: [], rssiDbm: [], observedAtMs: [], receivedAtMs: [] },
    rejected: { readerIds: [], topics: [], reasons: [], payloads: [], atMs: [] },
  };
  const { reads } = batch;
  const placeNumbers = new Map<string, number>();
  const tagNumbers = new Map<string, number>();
  for (const { message, receivedAtMs } of messages) {
    if (message.content.kind !== 'reads') continue;
    const { orgId, readerId } = message;
    for (const read of message.content.reads) {
      const place = numberOf(placeNumbers, `${readerId} ${read.antenna}`, () => {
        batch.places.orgIds.push(orgId);
        batch.places.readerIds.push(readerId);
        batch.places.antennas.push(read.antenna);
      });
      const tag = numberOf(tagNumbers, `${orgId} ${read.tagType} ${read.value}`, () => {
        batch.tags.orgIds.push(orgId);
        batch.tags.types.push(read.tagType);
        batch.tags.values.push(read.value);
      });
      reads.places.push(place);
      reads.tags.push(tag);
      reads.rssiDbm.push(read.rssiDbm);
      reads.observedAtMs.push(read.observedAtMs);
      reads.receivedAtMs.push(receivedAtMs);
    }
  }
  addHeard(batch, messages);
  for (const received of messages) addRejected(batch, received);
  return batch;
}

function addHeard({ heard }: ReadBatch, messages: readonly ReceivedMessage[]): void {
  const latest = new Map<number, ReceivedMessage>();
  for (const received of messages) {
    const earlier = latest.get(received.message.readerId);
    if (!earlier || earlier.receivedAtMs < received.receivedAtMs) latest.set(received.message.readerId, received);
  }
  for (const { message, receivedAtMs } of latest.values()) {
    heard.orgIds.push(message.orgId);
    heard.readerIds.push(message.readerId);
    heard.atMs.push(receivedAtMs);
  }
}

function addRejected({ rejected }: ReadBatch, { message, receivedAtMs }: ReceivedMessage): void {
  const { content } = message;
  if (content.kind !== 'rejected') return;
  rejected.readerIds.push(message.readerId);
  rejected.topics.push(message.topic);
  rejected.reasons.push(content.reason);
  rejected.payloads.push(Buffer.from(content.payload).toString('base64'));
  rejected.atMs.push(receivedAtMs);
}

function numberOf(numbers: Map<string, number>, key: string, add: () => void): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const next = numbers.size + 1;
  numbers.set(key, next);
  add();
  return next;
}
