import type { Mapping, TagRead } from '../../server/index.js';

/** A message as a format sees it. */
export type FormatInput = {
  topic: string;
  payload: Uint8Array;
  /** Whether it came on the topic registered for the reader's reads, where nothing but reads is expected. */
  onReadsTopic: boolean;
  /** Of readers of the format `mapped`. */
  mapping: Mapping | null;
};

/** What a payload says: reads, a sign of life, or nothing that can be understood, and why. */
export type Understanding =
  | { kind: 'reads'; reads: readonly TagRead[] }
  | { kind: 'status' }
  | { kind: 'rejected'; reason: string };

/** Knows nothing but its input, and is always of the same opinion. */
export type Format = (input: FormatInput) => Understanding;
