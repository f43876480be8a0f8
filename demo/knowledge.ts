/** The latest read of a thing in one zone: by the time that its reader states, with the latest true instant of the day. */
export type ZoneRead = { stampMs: number; atMs: number; order: number; isStray: boolean };

/** The data about a thing: its true zone, and the reads of it that the service received. */
export type Knowledge = {
  zone: string | null;
  sinceMs: number;
  isCovered: boolean;
  latestReads: Map<string, ZoneRead>;
  /** The zone of the read with the latest time. */
  newest: string | undefined;
  /** The true instant of the latest read. */
  newestAtMs: number;
  /**
   * The number of the last read in the true zone since the arrival there, in the order of receipt; -1 if there is none.
   */
  ownOrder: number;
  /** Whether a reader without network holds reads from the true zone. */
  isHeld: boolean;
  /** Reads since the arrival, by zone; levels are relative to the level of a tag at the antenna's own location. */
  levels: Map<string, { reads: number; sumDb: number }>;
};

/** The reported location of an asset; null for a location that the demo does not know. */
export type Reported = { zone: string | null };
