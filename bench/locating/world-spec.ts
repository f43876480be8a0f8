import type { ReaderLink } from './delivery.js';
import type { Layout } from './layout.js';

/** How readers receive tags. Levels are in dBm, spreads are standard deviations in dB. */
export type RadioModel = {
  /** Mean level of a tag at the antenna's own location. */
  levelDbm: number;
  /** Spread of a tag's mean level from visit to visit, drawn for each antenna: where exactly the asset is put down. */
  visitSd: number;
  /** Spread of single reads of a tag that does not move. */
  flickerSd: number;
  /** Spread of the antennas' gains, drawn once for each antenna. */
  gainSd: number;
  /** Level at which half of the reads succeed, and how quickly the share changes around it. */
  sensitivityDbm: number;
  slopeDb: number;
  /** Share of reads that fail at any level. */
  lossShare: number;
  /**
   * Spread of a fading that changes from read to read, and the correlation of two levels 0.1 s apart: reads within a second
   * are not independent.
   */
  fadingSd: number;
  fadingCorrelation: number;
  /** Levels that are added to reads at random, each equally often: the advertising channels of BLE. */
  channelsDb: readonly number[];
  /** Spread of a change of level that lasts for a random time with the mean given: people between tag and antenna. */
  bodySd: number;
  bodyMs: number;
  /** Mean of the second tag's mounting loss is half of this, in dB; undefined for assets with one tag. */
  secondTagLossDbMax: number | undefined;
  /** Time between two reads by an antenna, by its position: for `firstMs` after the arrival, then later. */
  intervals: (antenna: number) => { firstMs: number; firstIntervalMs: number; laterIntervalMs: number };
  hasRssi: (antenna: number) => boolean;
  /** Share of visits during which no antenna receives the tag for `silenceMs`: metal cages, closed containers. */
  silenceShare: number;
  silenceMs: number;
};

export type WorldSpec = {
  name: string;
  title: string;
  /** `long`: visits of minutes to an hour; `short`: of seconds to minutes from a cold start; `parked`: nothing moves. */
  kind: 'long' | 'short' | 'parked';
  /** The target of the decider; only for long visits. */
  truthPercentMin?: number;
  assets: number;
  hours: number;
  /** How many times a seed's world is drawn, each time with nothing learned at the beginning; 1 if undefined. */
  runs?: number;
  layout: () => Layout;
  radio: RadioModel;
  /** Clocks and outages of readers, by their number; a reader without an entry is right and always connected. */
  links: Readonly<Record<number, ReaderLink>>;
  /**
   * If set, readers publish in messages, each reader at an interval within this range and at its own phase; otherwise
   * each read at once.
   */
  publishing?: { intervalMsMin: number; intervalMsMax: number };
  /** Share of visits during which a person scans the asset, some seconds after the arrival; 0 if undefined. */
  scanShare?: number;
};
