// The numbers of the rule in docs/locating.md, which says what doubling each of them does.

/** How fast the level of an antenna follows a louder read, and a quieter one. */
export const riseMs = 1500;
export const fallMs = 2500;

/** No antenna is expected to read a tag more often than this. */
export const quietMs = 1000;

/** An antenna loses this many dB for each read that is overdue, until it is as good as silent. */
export const fadeDb = 4;
export const silentDb = 24;

/** An antenna that reads e times more rarely than usual counts this many dB less; twice as many without RSSI. */
export const rateDb = 4;

/** A first read counts as if the antenna read the tag this many times more rarely than usual. */
export const newGaps = 4;

/** A reader is offline after this many of its usual intervals between messages, and its silence then counts half. */
export const offlineGaps = 5;

/** By how many dB a read without RSSI counts as quieter than the loudest level of the asset. */
export const deafDb = 6;

/** Another location is ahead from this difference on. */
export const marginDb = 1;

/** How far ahead a read can show a location, with RSSI and without. */
export const aheadMaxDb = 12;
export const deafAheadMaxDb = 8;

/**
 * A tag that is carried past an antenna is heard more quietly than before: for each dB beyond `nearDb` below the asset's
 * loudest level a read can show `farShare` dB less, down to `nearDb`.
 */
export const nearDb = 3;
export const farShare = 0.6;

/** How long one read can count. */
export const stepMaxMs = 2000;

/** How far ahead, times how long, a location has to be, in dB × s. */
export const needDbS = 10;

/** The need grows to `1 + stayNeed` times within this time at the location. */
export const stayNeed = 2;
export const stayMs = 300_000;

/** How much the need grows with the natural logarithm of the number of other locations that receive the asset. */
export const othersNeed = 0.5;

/** Levels within this time after a scan belong to it; only an antenna that is louder by `aboveScanDb` ends it. */
export const scanMs = 10_000;
export const aboveScanDb = 6;

/** A visit this long teaches; also the time constant of what it teaches. */
export const visitMs = 60_000;

/** How much quieter antennas of other locations are, until that is learned. */
export const leakDb = 16;

/** How many visits make pictures count half, and how many what an antenna has learned of the other location halves. */
export const trustVisits = 3;
export const mutualVisits = 30;

/** How much the mean level of a visit varies, and the share of visits in which an antenna hears a location until that is learned. */
export const spreadDb = 6;
export const strayShare = 0.1;

/** Ten seconds of a calibration, of a scan or of a location's own tag count like this many visits. */
export const labelVisits = 5;

/** A tag that does not move is heard by its mean, until its level differs by this much, or two levels by as much together. */
export const calmDb = 8;

/** Reads this much older than the newest one of their asset are late: they go into the history only. */
export const lateMs = 8000;
