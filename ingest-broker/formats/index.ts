import type { ReaderFormat } from '../../server/parsing.js';
import { aprilBrother } from './april-brother.js';
import { auto } from './auto.js';
import type { Format } from './format.js';
import { jsonFormat } from './frame-format.js';
import { ingics } from './ingics.js';
import { mapped } from './mapped.js';
import { text } from './text.js';
import { vendors } from './vendors.js';

const inJson = Object.fromEntries(
  Object.entries(vendors).map(([name, format]) => [name, jsonFormat(format)]),
) as Record<keyof typeof vendors, Format>;

/** The parser of each format that a reader can be set to; one that is missing here does not compile. */
export const formats: Readonly<Record<ReaderFormat, Format>> = {
  ...inJson,
  auto,
  april_brother: aprilBrother,
  ingics,
  text,
  mapped,
};
