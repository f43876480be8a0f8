/** The payload formats of readers; the broker has a parser for each. `auto` recognizes a payload by its shape. */
export const readerFormats = [
  'auto',
  'native',
  'csl_cs463',
  'zebra_iotc',
  'impinj_iot',
  'smartreader',
  'gl_s10',
  'moko_mk107',
  'minew_g1',
  'ruuvi',
  'theengs',
  'mapped',
] as const;

export type ReaderFormat = (typeof readerFormats)[number];

/** The unit of times in a mapped payload. */
export const timeUnits = ['rfc3339', 's', 'ms', 'us'] as const;

export type TimeUnit = (typeof timeUnits)[number];

/** Dotted paths: `list` from the root, the others from its items, or from the root where there is no list. */
export type MappingPaths = { list?: string; value: string; antenna?: string; rssi?: string; time?: string };
