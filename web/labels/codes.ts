import { code128, type DrawingContext, qrcode } from 'bwip-js/browser';

export type CodeKind = 'qr' | 'code128';

/**
 * The black areas of a code without its quiet zone, in the encoder's units. Nested outlines follow the even-odd rule.
 */
export type CodeShape = { width: number; height: number; outlines: [x: number, y: number][][] };

/** At least two units for each bar, so that the middle of every bar is on a unit. */
const scale = 2;

/** The height of Code 128, which can be stretched. The encoder requires a height. */
const barHeightMm = 10;

/**
 * Returns the shape of a code, or undefined if a text cannot be encoded: Code 128 only encodes printable ASCII, and
 * each kind has a maximum length.
 */
export function codeShape(kind: CodeKind, text: string): CodeShape | undefined {
  if (kind === 'code128' && !/^[\x20-\x7E]{1,80}$/.test(text)) return undefined;
  try {
    return kind === 'qr'
      ? qrcode({ bcid: 'qrcode', text, scale, eclevel: 'M' } as Parameters<typeof qrcode>[0], outlineDrawing())
      : code128({ bcid: 'code128', text, scale, height: barHeightMm }, outlineDrawing());
  } catch {
    return undefined;
  }
}

function unused(): never {
  throw new Error('codes are made of bars and squares');
}

function outlineDrawing(): DrawingContext<CodeShape> {
  const shape: CodeShape = { width: 0, height: 0, outlines: [] };
  return {
    scale: () => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init(width, height) {
      shape.width = width;
      shape.height = height;
    },
    line(...[x0, y0, x1, y1, width]) {
      const half = width / 2;
      if (x0 !== x1) unused();
      shape.outlines.push([
        [x0 - half, y0],
        [x0 + half, y0],
        [x1 + half, y1],
        [x1 - half, y1],
      ]);
    },
    polygon: (points) => void shape.outlines.push(points.map(([x, y]) => [x, y])),
    hexagon: unused,
    ellipse: unused,
    fill() {},
    text: unused,
    end: () => shape,
  };
}

/** Returns the shape as the data of an SVG path. */
export function pathOf({ outlines }: CodeShape): string {
  return outlines.map((points) => `M${points.map(([x, y]) => `${x} ${y}`).join('L')}Z`).join('');
}
