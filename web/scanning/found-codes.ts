/** A point of a picture, in its pixels. */
type Point = { x: number; y: number };

/** A code found in a picture, and its corners. */
export type FoundCode = { value: string; format: string; corners: readonly Point[] };

export type Area = { left: number; top: number; width: number; height: number };

type Size = { width: number; height: number };

/**
 * The frame over the camera's picture, as fractions of the visible part; the style of the frame has the same numbers.
 */
const frameInset = { x: 0.1, y: 0.22 };

/**
 * Returns the area of a picture that is within the frame. The picture fills its box and is cut at two sides, as
 * `object-fit: cover` does.
 */
export function framedArea(picture: Size, box: Size): Area {
  const scale = Math.max(box.width / picture.width, box.height / picture.height);
  const [width, height] = [box.width / scale, box.height / scale];
  return {
    left: (picture.width - width) / 2 + width * frameInset.x,
    top: (picture.height - height) / 2 + height * frameInset.y,
    width: width * (1 - 2 * frameInset.x),
    height: height * (1 - 2 * frameInset.y),
  };
}

/** Returns the codes whose middle is within an area. */
export function codesWithin(codes: readonly FoundCode[], { left, top, width, height }: Area): FoundCode[] {
  return codes.filter(({ corners }) => {
    const x = corners.reduce((sum, corner) => sum + corner.x, 0) / corners.length;
    const y = corners.reduce((sum, corner) => sum + corner.y, 0) / corners.length;
    return x >= left && x <= left + width && y >= top && y <= top + height;
  });
}

/** Returns the UPC-A number of a UPC-E number, which leaves out zeros. Undefined for other texts. */
export function expandedUpcE(text: string): string | undefined {
  const [, system = '', digits = '', check = ''] = /^([01])(\d{6})(\d)$/.exec(text) ?? [];
  if (digits === '') return undefined;
  const last = Number(digits[5]);
  const [maker, item] =
    last <= 2
      ? [`${digits.slice(0, 2)}${last}00`, `00${digits.slice(2, 5)}`]
      : last === 3
        ? [`${digits.slice(0, 3)}00`, `000${digits.slice(3, 5)}`]
        : last === 4
          ? [`${digits.slice(0, 4)}0`, `0000${digits.slice(4, 5)}`]
          : [digits.slice(0, 5), `0000${last}`];
  return `${system}${maker}${item}${check}`;
}
