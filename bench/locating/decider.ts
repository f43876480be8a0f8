/** An antenna as the people who run the site set it up. */
export type AntennaSetup = {
  reader: number;
  port: number;
  /** Locations are numbered from 1; 0 stands for no location. */
  location: number;
  kind: 'zone' | 'portal';
};

/** The information about a site that a decider gets in advance: its configuration, but nothing about signals. */
export type SiteSetup = {
  name: string;
  /** Locations are numbered from 1 to this. */
  locations: number;
  assets: number;
  /** Readers are numbered from 1 to this. */
  readers: number;
  antennas: readonly AntennaSetup[];
};

/** One read of a tag. The benchmark reuses the object for the next read: copy what outlives the call. */
export type TagRead = {
  /** Position of the read in the order of receipt. */
  index: number;
  /** Assets are numbered from 0. */
  asset: number;
  /** Unique among all tags of all assets. */
  tag: number;
  reader: number;
  port: number;
  /** Position of the antenna in `SiteSetup.antennas`. */
  antenna: number;
  rssiDbm: number | null;
  /** Time by the reader's own clock, which can be wrong, in epoch milliseconds. */
  stampMs: number;
  /** Time by the server's clock, in epoch milliseconds. */
  receivedMs: number;
};

/** One message of a reader: its newest time stamp, and when the server received it. */
export type Message = Pick<TagRead, 'reader' | 'stampMs' | 'receivedMs'>;

/** A person with a handheld scanned an asset at a location. */
export type HandheldScan = { asset: number; location: number; atMs: number };

/** A tag passed a portal. */
export type Passage = { asset: number; location: number; atMs: number };

/**
 * A rule that decides where assets are. Every decider receives the same reads in the order of receipt. After each call the
 * benchmark asks for the location of the asset concerned.
 */
export type Decider = {
  /** Called for each message, before its reads. */
  onMessage?(message: Message): void;
  /** Called for each read of a message, in the order of their times. */
  onRead(read: Readonly<TagRead>): void;
  onHandheld?(scan: HandheldScan): void;
  /** Returns the asset's decided location, or 0 while none is known. */
  locationOf(asset: number): number;
  /** Returns the probability, as it is shown to people, that the decided location is right. */
  confidenceOf?(asset: number, nowMs: number): number;
  /**
   * The passages found since the benchmark last emptied the array. A decider without it is credited with a passage each
   * time it moves an asset to the location of a portal.
   */
  passages?: Passage[];
  /** Called every five seconds by the server's clock, for rules that expire. */
  expire?(nowMs: number): void;
};

export type DeciderFactory = (site: SiteSetup) => Decider;
