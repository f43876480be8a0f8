import type { Mapping, TagRead } from '../../server/index.js';

/** The input of a format. */
export type FormatInput = {
  topic: string;
  payload: Uint8Array;
  /** Whether it came on the topic registered for the reader's reads, where only reads are expected. */
  onReadsTopic: boolean;
  /** Of readers of the format `mapped`. */
  mapping: Mapping | null;
};

/** The result of parsing a payload: reads, a heartbeat, or a rejection with its reason. */
export type Understanding =
  /** `loss`: what of the message could not be read, with its place; `missing`: parts of a mapping that found nothing. */
  | { kind: 'reads'; reads: readonly TagRead[]; loss?: string; missing?: readonly MappingPart[] }
  | { kind: 'status' }
  | { kind: 'rejected'; reason: string };

/** A part of a mapping that may find nothing without anything being rejected. */
export type MappingPart = 'antenna' | 'rssi' | 'time';

/** Must be a pure function of its input. */
export type Format = (input: FormatInput) => Understanding;
