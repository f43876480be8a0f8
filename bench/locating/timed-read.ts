/** A read of one asset, at its true time. */
export type TimedRead = {
  atMs: number;
  antenna: number;
  /** Which of the asset's tags, from 0. */
  tagIndex: number;
  rssiDbm: number | null;
};

/** Returns up to when an antenna's reader is known to have reported all its reads, if it is `atMs` now. */
export type KnownUntil = (antenna: number, atMs: number) => number;
