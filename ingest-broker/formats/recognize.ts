import type { ReaderFormat } from '../../server/parsing.js';
import { aprilBrother, aprilBrotherFrames } from './april-brother.js';
import { autoFrames } from './auto.js';
import { cassia } from './cassia.js';
import { cslCs463 } from './csl-cs463.js';
import { espRfid } from './esp-rfid.js';
import { espresense } from './espresense.js';
import { contentOf, type FormatInput } from './format.js';
import { type FrameFormat, understandFrames } from './frame-format.js';
import { glS10 } from './gl-s10.js';
import { impinjIot } from './impinj-iot.js';
import { ingics, isIngics } from './ingics.js';
import { readFrames } from './json-frames.js';
import { minewG1 } from './minew-g1.js';
import { mokoMk107 } from './moko-mk107.js';
import { native } from './native.js';
import { ruuvi } from './ruuvi.js';
import { shelly } from './shelly.js';
import { smartreader } from './smartreader.js';
import { tasmota } from './tasmota.js';
import { theengs } from './theengs.js';
import { zebraIotc } from './zebra-iotc.js';

/** Formats that can be recognized from a message alone, each before those that find reads in its messages too. */
const candidates: readonly (readonly [ReaderFormat, FrameFormat])[] = [
  ['native', native],
  ['csl_cs463', cslCs463],
  ['zebra_iotc', zebraIotc],
  ['impinj_iot', impinjIot],
  ['smartreader', smartreader],
  ['gl_s10', glS10],
  ['moko_mk107', mokoMk107],
  ['cassia', cassia],
  ['shelly', shelly],
  ['april_brother', aprilBrotherFrames],
  ['tasmota', tasmota],
  ['espresense', espresense],
  ['minew_g1', minewG1],
  ['theengs', theengs],
  ['ruuvi', ruuvi],
];

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
  if (findsReads(espRfid)) return 'esp_rfid';
  return findsReads(autoFrames) ? candidates.find(([, format]) => findsReads(format))?.[0] : undefined;
}
