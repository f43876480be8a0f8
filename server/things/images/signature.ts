import { uploadBytesMax } from './kinds.js';

/** The formats that are decoded. */
export type ImageFormat = 'png' | 'jpeg' | 'webp';

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);
const pngChunkOverhead = 12;
const essentialChunks = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP eXIf'.split(' '));
/** A compressed color profile; usual ones have 3 KB. */
const profileBytesMax = 65_536;
const riffLengthAt = 4;
const riffHeaderBytes = 8;
const firstChunkAt = 12;
/** Even, as chunks are. */
const spareBytes = 1024;
const webpFlagsAt = 20;
const webpAnimationFlag = 0b10;

/** Returns the format that the first bytes of a file identify, so that no other decoder is ever given the file. */
export function formatOf(bytes: Buffer): ImageFormat | undefined {
  if (bytes.subarray(0, pngSignature.length).equals(pngSignature)) return 'png';
  if (bytes.subarray(0, jpegSignature.length).equals(jpegSignature)) return 'jpeg';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'webp' : undefined;
}

/**
 * Returns a WebP file whose end is missing with zeros in its place: the decoder refuses a file that is shorter than its headers state.
 * The chunk that was cut gets more zeros than are missing, since the decoder may need more of them than it would need of the real bytes.
 * Other files are returned as they are.
 */
export function withWholeLength(bytes: Buffer): Buffer {
  if (formatOf(bytes) !== 'webp') return bytes;
  const missing = riffHeaderBytes + bytes.readUInt32LE(riffLengthAt) - bytes.length;
  if (missing <= 0 || missing > uploadBytesMax) return bytes;
  let at = firstChunkAt;
  while (at + riffHeaderBytes <= bytes.length && chunkEnd(bytes, at) <= bytes.length) at = chunkEnd(bytes, at);
  if (at + riffHeaderBytes > bytes.length) return withLength(Buffer.from(bytes.subarray(0, at)));
  const whole = Buffer.concat([bytes, Buffer.alloc(chunkEnd(bytes, at) + spareBytes - bytes.length)]);
  whole.writeUInt32LE(whole.length - at - riffHeaderBytes, at + riffLengthAt);
  return withLength(whole);
}

/** Returns where the RIFF chunk at a place ends; each has an even number of bytes. */
function chunkEnd(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32LE(at + riffLengthAt);
  return at + riffHeaderBytes + length + (length % 2);
}

function withLength(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(bytes.length - riffHeaderBytes, riffLengthAt);
  return bytes;
}

/**
 * Returns a PNG file with only the chunks that change its pixels or its orientation: texts may be compressed, any number of times, to
 * a thousandth of what the decoder then reads. Other files are returned as they are.
 */
export function withEssentialChunks(bytes: Buffer): Buffer {
  if (formatOf(bytes) !== 'png') return bytes;
  const parts: Buffer[] = [pngSignature];
  const seen = new Set<string>();
  for (let at = pngSignature.length; at + pngChunkOverhead <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + pngChunkOverhead + bytes.readUInt32BE(at);
    const isRepeated = seen.has(type) && type !== 'IDAT';
    const isProfileLong = type === 'iCCP' && end - at > profileBytesMax;
    if (essentialChunks.has(type) && !isRepeated && !isProfileLong) parts.push(bytes.subarray(at, end));
    if (type === 'IEND') break;
    seen.add(type);
    at = end;
  }
  return Buffer.concat(parts);
}

/** Returns whether a file holds an animation. PNG has a chunk before the pixels for it, WebP a flag in its header. */
export function isAnimated(bytes: Buffer, format: ImageFormat): boolean {
  if (format === 'png') return hasAnimationChunk(bytes);
  if (format === 'jpeg') return false;
  return bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[webpFlagsAt] ?? 0) & webpAnimationFlag) !== 0;
}

function hasAnimationChunk(bytes: Buffer): boolean {
  for (let at = pngSignature.length; at + pngChunkOverhead <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    at += pngChunkOverhead + bytes.readUInt32BE(at);
  }
  return false;
}
