import type { CodeKind, CodeShape } from './codes.js';
import type { LabelFormat } from './formats.js';

/** A rectangle of a label; millimetres from its upper left corner. */
export type Box = { x: number; y: number; width: number; height: number };

export type LabelLayout = { code: Box; text: Box; nameSize: number; keySize: number };

const paddingMm = 2.5;
/** Modules that stay white around a code, as its standard asks. */
const quietModules = { qr: 4, code128: 10 } as const;
/** Units of a shape that a module has in the encoder's drawing. */
const moduleUnits = { qr: 4, code128: 2 } as const;

/** Where code and text stand: a QR code left of the text, bars above it. Sizes of letters are in millimetres. */
export function layoutOf({ label }: LabelFormat, kind: CodeKind): LabelLayout {
  const width = label.width - 2 * paddingMm;
  const height = label.height - 2 * paddingMm;
  const nameSize = Math.min(4.6, Math.max(2.8, label.height / 9));
  const keySize = nameSize * 0.8;
  if (kind === 'qr') {
    const side = Math.min(height, width * 0.42);
    const left = paddingMm + side + 2;
    return {
      code: { x: paddingMm, y: paddingMm + (height - side) / 2, width: side, height: side },
      text: { x: left, y: paddingMm, width: label.width - paddingMm - left, height },
      nameSize,
      keySize,
    };
  }
  const textHeight = (nameSize + keySize) * 1.3;
  return {
    code: { x: paddingMm, y: paddingMm, width, height: height - textHeight - 1 },
    text: { x: paddingMm, y: label.height - paddingMm - textHeight, width, height: textHeight },
    nameSize,
    keySize,
  };
}

/** Where the black of a code stands within its box, with the quiet zone around it. */
export function codeBox(box: Box, kind: CodeKind, shape: CodeShape): Box {
  const modules = shape.width / moduleUnits[kind];
  const quiet = quietModules[kind];
  const module = box.width / (modules + 2 * quiet);
  const inset = quiet * module;
  return kind === 'qr'
    ? { x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height - 2 * inset }
    : { x: box.x + inset, y: box.y, width: box.width - 2 * inset, height: box.height };
}

/** Finer bars than this are not told apart by common scanners. */
const moduleMinMm = 0.19;

/** Whether a code is large enough on its label to be scanned. */
export function isScannable(format: LabelFormat, kind: CodeKind, shape: CodeShape): boolean {
  const { width } = codeBox(layoutOf(format, kind).code, kind, shape);
  return width / (shape.width / moduleUnits[kind]) >= moduleMinMm;
}
