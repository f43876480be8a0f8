import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** The longest message of a reader. */
const messageBytesMax = 256 * 1024;

/** Texts that are no JSON in the middle of what looks like reads, so that a parser has to look for where the next one begins. */
export function malformedJson(): readonly string[] {
  return ['["x],', '{"epc":"E1},', '{"epc":"E1"},]'].map((piece) => piece.repeat(messageBytesMax / piece.length));
}

/** A PNG of 4 × 4 pixels whose compressed texts unpack to 2 GB. */
export async function pngOfTexts(): Promise<Buffer> {
  const plain = await pngOf(4, 4);
  const text = deflateSync(Buffer.alloc(10 * 1024 * 1024));
  const compressed = chunkOf('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), text]));
  const international = chunkOf('iTXt', Buffer.concat([Buffer.from('Comment\0\x01\0\0\0'), text]));
  const headerEnd = 33;
  const texts = Array.from({ length: 100 }, () => [compressed, international]).flat();
  return Buffer.concat([plain.subarray(0, headerEnd), ...texts, plain.subarray(headerEnd)]);
}

/** A PNG of 49 million pixels in a few kilobytes. */
export function pngOfManyPixels(): Promise<Buffer> {
  return pngOf(7000, 7000);
}

function pngOf(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#ffffff' }, limitInputPixels: false })
    .png({ compressionLevel: 9, palette: true, colors: 2 })
    .toBuffer();
}

/** The checksum is left out, since the service does not look at it. */
function chunkOf(type: string, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(data.length);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, data, Buffer.alloc(4)]);
}
