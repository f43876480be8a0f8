/** The purposes of images, with the longest side in pixels that is stored. */
export const imageKinds = {
  /** The floor plan of a location. */
  plan: { longestSidePx: 4096 },
  /** A photo of an asset. */
  photo: { longestSidePx: 1600 },
} as const;

export type ImageKind = keyof typeof imageKinds;

export const imageKindNames = Object.keys(imageKinds) as [ImageKind, ...ImageKind[]];

/** The longest side of a thumbnail, in pixels. */
export const thumbnailSidePx = 256;

/** Bytes that an upload can have. */
export const uploadBytesMax = 10 * 1024 * 1024;

/** Pixels that an upload can have; decoded, they take four bytes each. */
export const pixelsMax = 50_000_000;

/** The media types that can be uploaded. */
export const imageMediaTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Images of one organization, and the bytes that they take together. */
export const imageQuota = { imagesMax: 10_000, bytesMax: 1024 * 1024 * 1024 };
