/** An antenna of a reader as one number: `readerId * 65536 + port`. */
export type AntennaKey = number;

/** A location's id; 0 stands for no location. */
export type LocationId = number;

/** One read of one tag of the asset that is being located. */
export type LocatingRead = {
  antenna: AntennaKey;
  /** The tag's id: several tags of one asset are told apart by it. */
  tag: number;
  rssiDbm: number | null;
  /** Effective time in epoch milliseconds: the reader's time corrected by its clock offset, never after the receipt. */
  atMs: number;
};

/** What a reader's own signal level looks like where an antenna is: learned, so it can be missing. */
export type AntennaLevel = {
  /** Mean level of assets at the antenna's own location, in dBm. */
  meanDbm: number;
  /** Standard deviation of single reads around an asset's own mean, in dB. */
  flickerDb: number;
  /** Typical time between two reads of one tag that does not move, in milliseconds. */
  gapMs: number;
  /** How many reads this was learned from; old ones count less and less. */
  reads: number;
};

/** How an antenna decides, as its reader and port are set up. */
export type AntennaSettings = {
  location: LocationId;
  kind: 'zone' | 'portal';
  /** `newest`: every read of this reader decides at once. */
  rule: 'evidence' | 'newest';
};

/** What labeled reads say about how strongly an antenna hears tags that are at a location. */
export type SignatureEntry = {
  reads: number;
  meanDbm: number;
  /** Variance of single reads, in dB². */
  variance: number;
};

/** Everything besides the asset's own state that a decision depends on. Implementations answer from memory. */
export type Surroundings = {
  /** Undefined for an antenna of a reader that is gone. */
  antenna(key: AntennaKey): AntennaSettings | undefined;
  level(key: AntennaKey): AntennaLevel | undefined;
  signature(location: LocationId, antenna: AntennaKey): SignatureEntry | undefined;
  /** Effective time up to which the antenna's reader is known to have reported: an offline reader makes nothing overdue. */
  reportedUntilMs(antenna: AntennaKey): number;
};
