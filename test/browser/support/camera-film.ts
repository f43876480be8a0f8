import { writeFileSync } from 'node:fs';
import bwip from 'bwip-js/node';

const width = 640;
const height = 480;
const black = 16;
const white = 235;
const gray = 128;
const framesPerSecond = 2;
const framesEach = 5;

export type FilmedCode = { kind: 'qrcode' | 'code128'; text: string };

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
function drawn({ kind, text }: FilmedCode): Buffer {
  const picture = Buffer.alloc(width * height, white);
  const ink = (x: number, y: number, size: { width: number; height: number }) => {
    for (let row = y; row < y + size.height; row += 1) {
      picture.fill(black, row * width + x, row * width + x + size.width);
    }
  };
  const [code] = bwip.raw({ bcid: kind, text });
  if (!code) throw new Error(`${text} cannot be drawn`);
  if ('pixs' in code) {
    const edge = Math.floor(360 / code.pixx);
    const left = Math.floor((width - edge * code.pixx) / 2);
    for (const [index, isInk] of code.pixs.entries()) {
      const x = left + (index % code.pixx) * edge;
      if (isInk) ink(x, 60 + Math.floor(index / code.pixx) * edge, { width: edge, height: edge });
    }
    return picture;
  }
  const module = Math.floor(560 / code.sbs.reduce((sum, bar) => sum + bar, 0));
  let x = 50;
  for (const [index, bar] of code.sbs.entries()) {
    if (index % 2 === 0) ink(x, 140, { width: bar * module, height: 200 });
    x += bar * module;
  }
  return picture;
}
