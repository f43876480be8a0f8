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
  'tasmota',
  'espresense',
  'shelly',
  'cassia',
  'april_brother',
  'ingics',
  'esp_rfid',
  'text',
  'mapped',
] as const;

export type ReaderFormat = (typeof readerFormats)[number];

/** The unit of times in a mapped payload. */
export const timeUnits = ['rfc3339', 's', 'ms', 'us'] as const;

export type TimeUnit = (typeof timeUnits)[number];

/**
 * Expressions (`expressions.ts`). `list` is evaluated on the message; the others on each item of the list, or on the
 * message if there is no list. An item that does not satisfy `condition` is not a read.
 */
export type MappingPaths = {
  list?: string;
  condition?: string;
  value: string;
  antenna?: string;
  rssi?: string;
  time?: string;
};
