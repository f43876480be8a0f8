import sharp from 'sharp';

type Picture = { width?: number; height?: number; color?: string };

/** Bytes of a PNG of one color. */
export function png({ width = 40, height = 20, color = '#3366cc' }: Picture = {}): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();
}

/** Bytes of a JPEG whose EXIF data says that it has to be turned by 90°, and who took it. */
export function turnedJpeg(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#cc6633' } })
    .withExif({ IFD0: { Artist: 'somebody', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** Bytes of an animated WebP of two frames. */
export async function animatedWebp(): Promise<Buffer> {
  const frames = [await png({ color: '#000000' }), await png({ color: '#ffffff' })];
  return sharp(frames, { join: { animated: true } })
    .webp({ delay: [100, 100] })
    .toBuffer();
}

/** Bytes of a PNG that unpacks to `width` × `height` pixels, which take no space in it. */
export function bomb(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#ffffff' }, limitInputPixels: false })
    .png({ compressionLevel: 9, palette: true, colors: 2 })
    .toBuffer();
}
