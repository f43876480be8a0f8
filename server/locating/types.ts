/** An antenna of a reader as one number, which `antennaKey` makes of the reader's id and the port. */
export type AntennaKey = number;

/** A location's id; 0 stands for no location. */
export type LocationId = number;

/** The settings of an antenna, from its reader and port. */
export type AntennaSettings = {
  location: LocationId;
  kind: 'zone' | 'portal';
  /** `newest`: every read of this reader decides at once. */
  rule: 'evidence' | 'newest';
};

/** One read of one tag of the asset that is being located. */
export type LocatingRead = AntennaSettings & {
  antenna: AntennaKey;
  /** The tag's id, which distinguishes several tags of one asset. */
  tag: number;
  /** Levels of Bluetooth and UHF tags are compared by what is usual of each. */
  isBle: boolean;
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

/** What one antenna has received of one tag. Levels are in hundredths of dBm, null without RSSI. */
export type Tally = {
  antenna: AntennaKey;
  tag: number;
  /** The antenna's location and kind as of this read. */
  location: LocationId;
  isPortal: boolean;
  isBle: boolean;
  /** The level of the last two seconds. */
  level: number | null;
  /** The mean level since `fromMs`. */
  mean: number | null;
  fromMs: number;
  lastMs: number;
  /** The time between two reads lately; 0 while unknown. */
  gapMs: number;
};

/** A location that has been ahead of the present one since `fromMs`, and the sum of dB × s by which. */
export type Rival = { location: LocationId; dbS: number; fromMs: number };

/** Reads of one antenna and tag that arrived too late for the position, as long as they follow each other. */
export type LateRun = { antenna: AntennaKey; tag: number; reads: number; firstMs: number; lastMs: number };

/** The loudest level of the asset's tags lately, in hundredths of dBm. */
export type Loudest = { level: number; atMs: number };

/**
 * Why an asset is where it is: its first read; a decision before the reasons were kept; a reader with the rule `newest`;
 * an antenna there was louder for long enough; the picture of the location fits better; it passes a portal; a person scanned it.
 */
export type ReasonCode = 'first' | 'same' | 'newest' | 'moved' | 'picture' | 'portal' | 'handheld';

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
  /** When the scan was made or the read that decided; older scans are late. */
  settledMs: number;
  /** Until when the visit has taught the picture of its location. */
  taughtMs: number;
  /** Reads up to this instant are labels of the location; 0 if none are. */
  labelUntilMs: number;
  /** Whether fixed reads cannot move the asset until `labelUntilMs`. */
  isCalibrating: boolean;
  /** How loud any antenna was just after the scan that holds, in dB below the asset's loudest level; null if none holds. */
  scanDb: number | null;
  /** Of UHF tags, and of Bluetooth tags. */
  loudest: readonly [Loudest | null, Loudest | null];
  rivals: readonly Rival[];
  lateRuns: readonly LateRun[];
  tallies: readonly Tally[];
};

/** What an antenna heard of an asset during a visit, in dB below the loudest antenna. */
export type Heard = { antenna: AntennaKey; location: LocationId; db: number };

/** What a visit teaches: how much quieter than the loudest antenna the others are at its location. */
export type Lesson = {
  location: LocationId;
  /** Lessons that began before a reset of their location are ignored. */
  fromMs: number;
  /** How long the visit had lasted: antennas that read more rarely than this say nothing by their silence. */
  spanMs: number;
  /** How many visits it counts like. */
  visits: number;
  heard: readonly Heard[];
};

/** What `judge` and `judgeScan` decide. */
export type Judgment = {
  state: AssetState;
  /** Null if the location did not change, else the time of the first read at the new location. */
  movedAtMs: number | null;
  /** Where the asset was in the past, by reads that arrived too late for the position. */
  late?: { location: LocationId; atMs: number };
  /** What the site learns from it, by `Site.learn`. */
  gap?: { antenna: AntennaKey; gapMs: number } | undefined;
  /** A read by an antenna of the asset's location. */
  own?: Pick<LocatingRead, 'isBle' | 'rssiDbm'> | undefined;
  lesson?: Lesson | undefined;
};

/** What is known of a location: in how many of its visits each antenna was heard, and the sum of its levels in dB below the loudest. */
export type Picture = {
  visits: number;
  antennas: ReadonlyMap<AntennaKey, { location: LocationId; visits: number; sumDb: number }>;
};

/** How loud an antenna of a location hears an asset, in dB below the loudest antenna, and how silent it is by now, from 0 to 1. */
export type Hearing = { antenna: AntennaKey; location: LocationId; db: number; silence: number };

/** Everything besides the asset's own state that a decision depends on, from memory. */
export type Surroundings = {
  /** The usual time between two reads of a tag by the antenna. */
  usualGapMs(antenna: AntennaKey): number;
  /** Effective time up to which the antenna's reader has reported, and the usual time between its messages. */
  reader(antenna: AntennaKey): { untilMs: number; gapMs: number } | undefined;
  /** By how many dB Bluetooth tags are usually heard louder than UHF tags, each at their own locations. */
  bleDb(): number;
  /** Undefined for a location that nothing was learned of. */
  picture(location: LocationId): Picture | undefined;
  /** How well what antennas hear of an asset fits the picture of a location, as a natural logarithm. */
  fit(location: LocationId, hearings: readonly Hearing[]): number;
};
