import type { ReaderFormat } from '../../server/parsing.js';
import { aprilBrother } from './april-brother.js';
import { autoFrames } from './auto.js';
import { contentOf, type FormatInput } from './format.js';
import { type FrameFormat, understandFrames } from './frame-format.js';
import { ingics, isIngics } from './ingics.js';
import { readFrames } from './json-frames.js';
import { recognizable, vendors } from './vendors.js';

const candidates = Object.entries(recognizable) as [ReaderFormat, FrameFormat][];

/** Objects of a message in which reads are looked for, in each format. */
const framesMax = 100;

/** Returns the format that finds reads in a message, regardless of the reader's format; undefined if there is none. */
export function recognizeFormat(input: FormatInput): ReaderFormat | undefined {
  if (isIngics(input.payload)) return ingics(input).kind === 'reads' ? 'ingics' : undefined;
  const found = readFrames(contentOf(input));
  if ('unreadable' in found) return aprilBrother(input).kind === 'reads' ? 'april_brother' : undefined;
  const beginning = { ...found, frames: found.frames.slice(0, framesMax) };
  const findsReads = (format: FrameFormat) => understandFrames(format, beginning, input).kind === 'reads';
  // Only its type identifies the message of an esp-rfid reader, so the automatic format does not read it.
  if (findsReads(vendors.esp_rfid)) return 'esp_rfid';
  return findsReads(autoFrames) ? candidates.find(([, format]) => findsReads(format))?.[0] : undefined;
}
