import type { Mapping, TagRead } from '../../server/parsing.js';
import { type Content, readContent } from './json-frames.js';

/** The input of a format. */
export type FormatInput = {
  topic: string;
  payload: Uint8Array;
  /** Whether it came on the topic registered for the reader's reads, where only reads are expected. */
  onReadsTopic: boolean;
  /** Of readers of the format `mapped`; of the format `text` its type of tag counts, RFID by default. */
  mapping: Mapping | null;
  /** The parsed payload, where it is used more than once. */
  content?(): Content;
};

/** Returns an input whose payload is parsed once, when a format needs it. */
export function parsedOnce(input: FormatInput): FormatInput {
  let content: Content | undefined;
  return { ...input, content: () => (content ??= readContent(input.payload)) };
}

export function contentOf({ content, payload }: FormatInput): Content {
  return content ? content() : readContent(payload);
}

/** The result of parsing a payload: reads, a heartbeat, or a rejection with its reason. */
export type Understanding =
  /**
   * `loss`: what of the message could not be read, with its place; `missing`: parts of a mapping that found nothing;
   * `unusedTime`: a time in the message that is no instant, so that the time of receipt counts.
   */
  | {
      kind: 'reads';
      reads: readonly TagRead[];
      loss?: string;
      missing?: readonly MappingPart[];
      unusedTime?: string;
    }
  | { kind: 'status' }
  | { kind: 'rejected'; reason: string };

/** A part of a mapping that may find nothing without anything being rejected. */
export type MappingPart = 'antenna' | 'rssi' | 'time';

/** Must be a pure function of its input. */
export type Format = (input: FormatInput) => Understanding;
