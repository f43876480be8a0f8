import { writeFileSync } from 'node:fs';
import bwip from 'bwip-js/node';

const width = 640;
const height = 480;
const black = 16;
const white = 235;
const gray = 128;
const framesPerSecond = 2;
const framesEach = 5;

/** A code in the middle; a second QR code has the right half of the picture, and the first one the left half. */
export type FilmedCode = { kind: 'qrcode' | 'code128'; text: string; beside?: string };

/** Writes the film of a camera that looks at one code after the other, each for 2.5 s, repeatedly (Y4M). */
export function writeFilm(file: string, codes: readonly FilmedCode[]): void {
  const colors = Buffer.alloc((width * height) / 2, gray);
  const frames = codes.flatMap((code) => {
    const frame = Buffer.concat([Buffer.from('FRAME\n'), drawn(code), colors]);
    return Array.from({ length: framesEach }, () => frame);
  });
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420\n`);
  writeFileSync(file, Buffer.concat([head, ...frames]));
}

/** The brightness of each point. */
function drawn({ kind, text, beside }: FilmedCode): Buffer {
  const picture = Buffer.alloc(width * height, white);
  const ink = (x: number, y: number, size: { width: number; height: number }) => {
    for (let row = y; row < y + size.height; row += 1) {
      picture.fill(black, row * width + x, row * width + x + size.width);
    }
  };
  const square = (content: string, { middle, size }: { middle: number; size: number }) => {
    const [code] = bwip.raw({ bcid: 'qrcode', text: content });
    if (!code || !('pixs' in code)) throw new Error(`${content} cannot be drawn`);
    const edge = Math.floor(size / code.pixx);
    const [left, top] = [middle, height / 2].map((at) => Math.floor(at - (edge * code.pixx) / 2));
    for (const [index, isInk] of code.pixs.entries()) {
      const x = (left ?? 0) + (index % code.pixx) * edge;
      if (isInk) ink(x, (top ?? 0) + Math.floor(index / code.pixx) * edge, { width: edge, height: edge });
    }
    return picture;
  };
  if (beside !== undefined) {
    square(text, { middle: 190, size: 180 });
    return square(beside, { middle: 450, size: 180 });
  }
  if (kind === 'qrcode') return square(text, { middle: width / 2, size: 360 });
  const [code] = bwip.raw({ bcid: kind, text });
  if (!code || 'pixs' in code) throw new Error(`${text} cannot be drawn`);
  const module = Math.floor(560 / code.sbs.reduce((sum, bar) => sum + bar, 0));
  let x = 50;
  for (const [index, bar] of code.sbs.entries()) {
    if (index % 2 === 0) ink(x, 140, { width: bar * module, height: 200 });
    x += bar * module;
  }
  return picture;
}
