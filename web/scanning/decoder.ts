import { expandedUpcE, type FoundCode } from './found-codes.js';

/** Finds the codes in a picture. */
export type Decoder = (picture: HTMLVideoElement | ImageBitmap) => Promise<FoundCode[]>;

const formats = [
  'aztec',
  'codabar',
  'code_39',
  'code_93',
  'code_128',
  'data_matrix',
  'ean_8',
  'ean_13',
  'itf',
  'pdf417',
  'qr_code',
  'upc_a',
  'upc_e',
] as const;

/** Code 39 as scanners read it: otherwise pairs such as the `+A` of medical codes would be one character, `a`. */
export const loadedFormats = formats.map((format) => (format === 'code_39' ? 'code_39_standard' : format));

type Detector = {
  detect(
    picture: HTMLVideoElement | ImageBitmap,
  ): Promise<readonly { rawValue: string; format: string; cornerPoints: readonly { x: number; y: number }[] }[]>;
};
type NativeDetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

/**
 * Returns the browser's own detector if it supports the codes of labels and QR codes; otherwise a detector that is
 * loaded from this service.
 */
export async function createDecoder(): Promise<Decoder> {
  const detector = (await nativeDetector()) ?? (await loadedDetector());
  return async (picture) =>
    (await detector.detect(picture)).map(({ rawValue, format, cornerPoints: corners }) => {
      const value = (format === 'upc_e' ? expandedUpcE(rawValue) : undefined) ?? rawValue;
      return { value, format, corners };
    });
}

async function nativeDetector(): Promise<Detector | undefined> {
  if (!('BarcodeDetector' in window)) return undefined;
  const native = window.BarcodeDetector as NativeDetectorClass;
  const supported = await native.getSupportedFormats().catch((): string[] => []);
  const wanted: string[] = formats.filter((format) => supported.includes(format));
  return wanted.includes('qr_code') && wanted.includes('code_128') ? new native({ formats: wanted }) : undefined;
}

async function loadedDetector(): Promise<Detector> {
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasmUrl }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  // The library would otherwise fetch its WebAssembly from another host.
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
  return new BarcodeDetector({ formats: loadedFormats });
}
