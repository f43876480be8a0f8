import type { CodeKind, CodeShape } from './codes.js';
import type { LabelFormat } from './formats.js';

/** A rectangle of a label; millimeters from its upper left corner. */
export type Box = { x: number; y: number; width: number; height: number };

/** The positions of code and text, font sizes in millimeters, and how many lines the name and the tag can have. */
export type LabelLayout = {
  code: Box;
  text: Box;
  nameSize: number;
  keySize: number;
  nameLines: number;
  tagLines: number;
};

/** The minimum margin of printers. */
const paddingMm = 2;
const gapMm = 2;
/** White modules around a code, as its standard requires. */
const quietModules = { qr: 4, code128: 10 } as const;
/** Units of a shape that a module has in the encoder's drawing. */
const moduleUnits = { qr: 4, code128: 2 } as const;
/** Line height, in font sizes. */
export const lineHeight = 1.25;

/** The largest part of a label's width for a QR code; the rest is for the text. */
const codePartMax = 0.5;

/**
 * Lays out a label over its whole area: a QR code of its full height left of the text, or bars of its full width above
 * the text. The font size grows with the label.
 */
export function layoutOf({ label }: LabelFormat, kind: CodeKind): LabelLayout {
  const width = label.width - 2 * paddingMm;
  const height = label.height - 2 * paddingMm;
  const nameSize = Math.min(7, Math.max(2.8, label.height / 8));
  const keySize = Math.max(2.2, nameSize * 0.7);
  if (kind === 'qr') {
    const side = Math.min(height, width * codePartMax);
    const left = paddingMm + side + gapMm;
    const forName = height - 3 * keySize * lineHeight;
    return {
      code: { x: paddingMm, y: paddingMm + (height - side) / 2, width: side, height: side },
      text: { x: left, y: paddingMm, width: label.width - paddingMm - left, height },
      nameSize,
      keySize,
      nameLines: Math.max(1, Math.floor(forName / (nameSize * lineHeight))),
      tagLines: 2,
    };
  }
  const textHeight = (nameSize + 2 * keySize) * lineHeight;
  return {
    code: { x: paddingMm, y: paddingMm, width, height: height - textHeight - 1 },
    text: { x: paddingMm, y: label.height - paddingMm - textHeight, width, height: textHeight },
    nameSize,
    keySize,
    nameLines: 1,
    tagLines: 1,
  };
}

/** Returns the area of a code within its box, without the quiet zone around it. */
export function codeBox(box: Box, kind: CodeKind, shape: CodeShape): Box {
  const modules = shape.width / moduleUnits[kind];
  const quiet = quietModules[kind];
  const module = box.width / (modules + 2 * quiet);
  const inset = quiet * module;
  return kind === 'qr'
    ? { x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height - 2 * inset }
    : { x: box.x + inset, y: box.y, width: box.width - 2 * inset, height: box.height };
}

/** Common scanners cannot distinguish bars that are thinner. */
const moduleMinMm = 0.19;

/** Returns whether a code is large enough on its label to be scanned. */
export function isScannable(format: LabelFormat, kind: CodeKind, shape: CodeShape): boolean {
  const { width } = codeBox(layoutOf(format, kind).code, kind, shape);
  return width / (shape.width / moduleUnits[kind]) >= moduleMinMm;
}
