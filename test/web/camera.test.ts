import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import bwip from 'bwip-js/node';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadedFormats } from '../../web/scanning/decoder.js';
import { codesWithin, expandedUpcE, type FoundCode, framedArea } from '../../web/scanning/found-codes.js';
import { createSightings } from '../../web/scanning/sightings.js';

beforeAll(async () => {
  const wasm = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
});

const picture = { width: 640, height: 480 };

/** What the decoder finds in a picture, as in the app. */
async function codesIn(image: Uint8Array): Promise<FoundCode[]> {
  const code39 = loadedFormats.includes('code_39_standard') ? 'Code39Std' : 'Code39';
  const results = await readBarcodes(image, {
    textMode: 'Plain',
    formats: ['Code128', code39, 'DataMatrix', 'EAN13', 'ITF', 'QRCode', 'UPCA'],
  });
  return results.map(({ text: value, format, position: { topLeft, topRight, bottomRight, bottomLeft } }) => ({
    value,
    format,
    corners: [topLeft, topRight, bottomRight, bottomLeft],
  }));
}

const filed = (name: string) => readFile(new URL(`camera-pictures/${name}.png`, import.meta.url));

function code(value: string, { x = 320, y = 240, format = 'qr_code' } = {}): FoundCode {
  const corners = [-40, 40].flatMap((dx) => [-40, 40].map((dy) => ({ x: x + dx, y: y + dy })));
  return { value, format, corners };
}

describe('the camera reads within its frame', () => {
  it('and not the code beside it', async () => {
    const codes = await codesIn(await filed('code-outside-of-the-frame'));
    expect(codes).toHaveLength(2);
    const inside = codesWithin(codes, framedArea(picture, { width: 336, height: 252 }));
    expect(inside).toHaveLength(1);
    expect(inside[0]?.corners.every(({ x, y }) => x > 200 && x < 450 && y > 120 && y < 350)).toBe(true);
  });

  it.each([
    ['as it is', { width: 640, height: 480 }, 'left: 64, top: 106'],
    ['cut at its sides', { width: 300, height: 300 }, 'left: 128, top: 106'],
    ['cut above and below', { width: 800, height: 300 }, 'left: 64, top: 173'],
  ])('on a picture that is shown %s', (_, box, corner) => {
    const { left, top, width, height } = framedArea(picture, box);
    expect(`left: ${Math.round(left)}, top: ${Math.round(top)}`).toBe(corner);
    expect([left + width / 2, top + height / 2].map(Math.round)).toEqual([320, 240]);
    const codes = [code('A', { x: left + 5 }), code('B', { x: left - 5 }), code('C', { y: top + height + 5 })];
    expect(codesWithin(codes, { left, top, width, height }).map(({ value }) => value)).toEqual(['A']);
  });
});

describe('codes in picture after picture', () => {
  function watch() {
    let at = 0;
    const sightings = createSightings(() => at);
    return (codes: FoundCode[], { afterMs = 100, isPaused = false } = {}) => {
      at += afterMs;
      return sightings(codes, isPaused);
    };
  }

  it('are one scan each, until they were away', () => {
    const look = watch();
    expect([look([code('A')]), look([code('A')]), look([code('A')])]).toEqual([[], ['A'], []]);
    expect([look([]), look([code('A')], { afterMs: 2500 }), look([code('A')])]).toEqual([[], [], ['A']]);
  });

  it('are given together if they came together, even if the first picture showed one alone', () => {
    const look = watch();
    expect([look([code('A')]), look([code('A'), code('B')])]).toEqual([[], ['A', 'B']]);
    expect(look([code('A'), code('B')], { isPaused: true })).toEqual([]);
    expect(look([code('A'), code('B'), code('C')], { isPaused: true })).toEqual([]);
    expect([look([code('A'), code('B'), code('C')]), look([code('A'), code('C')])]).toEqual([[], ['C']]);
  });

  it('are not given for a misread code beside them, or twice for two prints of the same', () => {
    const look = watch();
    expect(look([code('A')])).toEqual([]);
    expect(look([code('A'), code('A'), code('7', { format: 'codabar' })])).toEqual(['A']);
  });
});

it('reads UPC-A as the 13 digits that the service takes for the same article', async () => {
  const [found] = await codesIn(await filed('upc-a'));
  expect(found?.value).toMatch(/^0?697929110035$/);
});

it.each([
  ['ean13', '4006381333931', /^4006381333931$/],
  ['itf14', '04006381333931', /^04006381333931$/],
  ['code39', 'A$B/C%D', /^A\$B\/C%D$/],
  ['hibccode39', 'A999BJC5D6E71', /^\+A999BJC5D6E71\.$/],
  ['hibcdatamatrix', 'A999BJC5D6E71', /^\+A999BJC5D6E71\.$/],
  ['gs1datamatrix', '(01)04006381333931(21)S1(17)261231', /^010400638133393121S1\u001D17261231$/],
])('reads %s', async (bcid, text, expected) => {
  const image = await bwip.toBuffer({ bcid, text, scale: 3, padding: 10, backgroundcolor: 'FFFFFF' });
  expect((await codesIn(image))[0]?.value).toMatch(expected);
});

it.each([
  ['04252614', '042100005264'],
  ['01234565', '012345000065'],
  ['04182635', '041800000265'],
  ['4006381333931', undefined],
])('UPC-E %s is UPC-A %s', (short, long) => {
  expect(expandedUpcE(short)).toBe(long);
});
