/** An antenna of a reader as one number, which `antennaKey` makes of the reader's id and the port. */
export type AntennaKey = number;

/** A location's id; 0 stands for no location. */
export type LocationId = number;

/** One read of one tag of the asset that is being located. */
export type LocatingRead = {
  antenna: AntennaKey;
  /** The tag's id, which distinguishes several tags of one asset. */
  tag: number;
  rssiDbm: number | null;
  /** Effective time in epoch milliseconds: the reader's time corrected by its clock offset, never after the receipt. */
  atMs: number;
};

/** A scan of the asset with a handheld at a known location. */
export type HandheldScan = {
  location: LocationId;
  atMs: number;
  /** End of a guided calibration: until then fixed reads do not move the asset, and all of them are labels. */
  labelUntilMs?: number;
};

/** The signal level of an antenna at its own location. It is learned, so it can be missing. */
export type AntennaLevel = {
  /** Mean level of assets at the antenna's own location, in dBm. */
  meanDbm: number;
  /** Standard deviation of single reads around an asset's own mean, in dB. */
  flickerDb: number;
  /** Typical time between two reads of one tag that does not move, in milliseconds. */
  gapMs: number;
  /** The number of reads this was learned from; old ones count less and less. */
  reads: number;
};

/** The settings of an antenna, from its reader and port. */
export type AntennaSettings = {
  location: LocationId;
  kind: 'zone' | 'portal';
  /** `newest`: every read of this reader decides at once. */
  rule: 'evidence' | 'newest';
};

/** What was learned about how strongly an antenna receives tags at a location. */
export type SignatureEntry = {
  /** Visits during which the antenna read the asset. A visit whose location is uncertain counts as a part of one. */
  reads: number;
  meanDbm: number;
  /** Variance of the mean levels of visits, in dB². */
  variance: number;
};

/** What an antenna is expected to receive of an asset at a location. */
export type Reception = {
  /** Share of visits during which the antenna reads the asset. */
  audible: number;
  /** Mean level of a visit, and its variance in dB². */
  meanDbm: number;
  variance: number;
};

/** The same, estimated from all visits to the site. */
export type SiteReception = Reception & {
  /** Whether the antenna is at the location. */
  isOwn: boolean;
};

/** What is known of all antennas together at a location. */
export type SiteSignature = {
  /** Visits that this was learned from. */
  visits: number;
  /** How many of them were labeled: by a calibration, by a person's scan, or by a tag of the location itself. */
  labels: number;
  /** Antennas that have read assets there. */
  antennas: readonly AntennaKey[];
  /** What is known of assets in transit near the readers of the location; missing like `receptions`. */
  transit?: TransitSignature;
  /**
   * What antennas are expected to receive there, estimated from all visits to the site; missing as long as nothing was
   * learned since the start.
   */
  receptions?: ReadonlyMap<AntennaKey, SiteReception>;
};

/** What is known of assets that are at no location. */
export type TransitSignature = {
  /** Their share of all visits. */
  share: number;
  /** How often and how strongly antennas have read them. */
  entries: ReadonlyMap<AntennaKey, SignatureEntry>;
  /** By antenna, and by another one: how many visits both have read. */
  together: ReadonlyMap<AntennaKey, ReadonlyMap<AntennaKey, number>>;
  /** How many of these visits an average antenna has read: the mean over all reads. */
  readsPerAntenna: number;
};

/** Everything besides the asset's own state that a decision depends on. Implementations answer from memory. */
export type Surroundings = {
  /** Undefined for an antenna of a deleted reader. */
  antenna(key: AntennaKey): AntennaSettings | undefined;
  level(key: AntennaKey): AntennaLevel | undefined;
  signature(location: LocationId, antenna: AntennaKey): SignatureEntry | undefined;
  /** Undefined for a location without a signature. The method is missing if only single antennas are asked for. */
  site?(location: LocationId): SiteSignature | undefined;
  /** Locations at which the antenna is known to read assets. Missing like `site`. */
  locationsOf?(antenna: AntennaKey): readonly LocationId[];
  /** Effective time up to which the antenna's reader is known to have reported: an offline reader makes nothing overdue. */
  reportedUntilMs(antenna: AntennaKey): number;
  /** The usual time between two messages of the antenna's reader. The method is missing where that does not matter. */
  messageGapMs?(antenna: AntennaKey): number;
};

/** Counts of the reads of one tag at one antenna. */
export type Tally = {
  antenna: AntennaKey;
  tag: number;
  /** Reads since the asset arrived, without the reads of an open change; old ones fade. */
  reads: number;
  /** Mean level of these reads in hundredths of dBm; null without RSSI. */
  level: number | null;
  /** Level of the last seconds, in hundredths of dBm; null without RSSI. */
  smoothed: number | null;
  /** Reads that belong to the open change. */
  newReads: number;
  newLevel: number | null;
  /** First read of the open change; 0 without one. */
  newFirstMs: number;
  lastMs: number;
  /** Typical time between two reads; 0 while unknown. */
  gapMs: number;
  /** Consecutive reads that arrived too late for the position, and the first of them; 0 if none. */
  lateReads: number;
  lateFirstMs: number;
};

/** The state of an asset between two reads. Plain data; `encodeState` turns it into text. */
export type AssetState = {
  /** The decided location. */
  location: LocationId;
  /** The arrival at this location. */
  sinceMs: number;
  /** Time of its newest read or scan. */
  lastSeenMs: number;
  /** The previous location; null if it was seen nowhere else. */
  previous: LocationId | null;
  /** The antenna whose read decided; 0 for a handheld scan. */
  decidedBy: AntennaKey;
  reason: ReasonCode;
  /** Reads before this instant are late: the location was decided by this read or a later one. */
  settledMs: number;
  /** When the reads began that may turn out to be a move; 0 if there are none. */
  changeMs: number;
  /** Since when an antenna of another location has received it better; 0 if none has. */
  louderMs: number;
  /** Fixed reads up to this instant are labels of the location; 0 if none are. */
  labelUntilMs: number;
  /** Whether fixed reads cannot move the asset until `labelUntilMs`. */
  isCalibrating: boolean;
  /** Whether it has left the location and is at no other one yet, by its reads: `location` stays what it was. */
  isInTransit: boolean;
  /** Reads of the visit. */
  visitReads: number;
  /** Where the asset was before its last move, if a further move soon after replaces that one; otherwise 0. */
  movedFrom: LocationId;
  /** When that move was decided; 0 without one. */
  decidedMs: number;
  tallies: readonly Tally[];
};

/**
 * Why an asset is where it is: its first read; a decision before the reasons were kept; a reader with the rule `newest`; a
 * move; its reads fit another location better than the former one; it passes a portal; a person scanned it.
 */
export type ReasonCode = 'first' | 'same' | 'newest' | 'moved' | 'corrected' | 'portal' | 'handheld';

/** A read of an asset that has been read before during its visit. */
export type LevelSample = {
  antenna: AntennaKey;
  /** Whether the asset is firmly at the antenna's own location. */
  isOwn: boolean;
  rssiDbm: number | null;
  /** The mean level of the asset's reads there, the read included. */
  visitDbm: number | null;
  /** Time since the preceding read; null if there is none. */
  gapMs: number | null;
};

/** A read of something whose location is certain. */
export type LabelSample = {
  location: LocationId;
  antenna: AntennaKey;
  rssiDbm: number | null;
};

/** What one antenna has read of an asset during a visit or an open change, from its strongest tag. */
export type Observation = {
  antenna: AntennaKey;
  /** The antenna's own location. */
  location: LocationId;
  /** 0 if the antenna could have read the asset and did not. */
  reads: number;
  /** Whether the antenna has read the asset during the visit or the open change. */
  hasRead: boolean;
  hasRssi: boolean;
  /** Mean level in dBm; without RSSI it is derived from the share of its opportunities that the antenna used. */
  levelDbm: number;
  /** The uncertainty of the mean because of few reads, in dB². */
  variance: number;
  /** How many reads the antenna would have made of an asset at its own location. */
  opportunities: number;
  /** The probability of this many reads if the antenna does not receive the location, except for stray reads. */
  strayChance: number;
  /** Whether the antenna has read the asset, or its reader has reported something else since. */
  isReported: boolean;
  lastMs: number;
};

/** What the antennas observed during a visit. */
export type VisitPattern = {
  /** The same for all patterns of one visit: the last one counts. */
  key: string;
  /** When the first of its reads was made. */
  fromMs: number;
  /** The location if a person reported it, else null. */
  label: LocationId | null;
  observations: readonly Observation[];
};

/** The result of `decide` for a read. */
export type Judgment = {
  state: AssetState;
  location: LocationId;
  /** Null if the location did not change, else the time of the first read at the new location. */
  movedAtMs: number | null;
  /** Whether the move replaces the one before it, which was decided a moment ago. */
  replaces?: true;
  /** Where the asset was in the past, by reads that arrived too late for the position. */
  late?: { location: LocationId; atMs: number };
  level?: LevelSample;
  /** What the antennas observed during the visit so far, for learning. */
  pattern?: VisitPattern;
};

/** A read with what is known of its antenna and of the site. */
export type Input = { read: LocatingRead; settings: AntennaSettings; surroundings: Surroundings };
