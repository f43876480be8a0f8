/**
 * All numbers of the decision. Levels are in dB or dBm, times in milliseconds. Times that matter follow the gaps between
 * the reads that are observed; the times here are only their lower bounds.
 */

/** Slots an asset keeps: tags in overlapping fields are received by two to six antennas. */
export const slotsMax = 8;

/** Reads that a slot counts: with more, the mean would no longer follow a slow change of the level. */
export const slotReadsMax = 60;

/** Reads of two readers that are delivered in another order than they were made, at most this much later, are in time. */
export const jitterMs = 5000;

/** Reads of a reader without silence of its own that are closer together than this belong to one run in any case. */
export const runGapMinMs = 2000;

/** Gaps without a read after which a run has ended: at 30 % lost reads, three gaps in a row are lost once in 40 runs. */
export const runGaps = 3;

/** Levels of an antenna of which nothing has been learned, and how far off this may be. */
export const unknownLevelDbm = -62;
export const unknownLevelSdDb = 9;
export const unknownFlickerDb = 3;
export const unknownGapMs = 2000;

/** Standard deviation of an asset's mean level from one visit to the next at the same location. */
export const visitSdDb = 4.5;

/** How much an asset's mean level changes during a visit, by people and goods around it. */
export const driftSdDb = 2;

/** How much weaker than its own an antenna receives assets at other locations, and how much that differs, if unlabeled. */
export const leakDb = 16;
export const leakSdDb = 7;

/** How often an antenna reads an asset at another location, relative to one at its own, if unlabeled. */
export const leakShare = 0.25;

/** Reads that the expected shares of the antennas count as: a low number for shares that differ from visit to visit. */
export const shareReads = 3;

/** At most so many reads of a visit speak for the shares of the antennas: reads of one visit are not independent. */
export const visitShareReadsMax = 12;

/** Advantage, as natural logarithm, that a move to another location needs. */
export const moveAdvantage = 3;

/** Additional advantage for going back to where the asset has just been. */
export const returnAdvantage = 1;

/** Advantage that a correction of the location needs, when nothing has changed but more reads are known. */
export const correctionAdvantage = 3;

/** Disadvantage of a change at which its reads are no longer held to be one. */
export const noChangeDisadvantage = 2;

/** Reads after which a change that is none better than no change is taken as none. */
export const changeReadsMax = 40;

/** Late reads that are convincing: this many at an antenna, with a mean level that is not further below its own. */
export const lateReadsMin = 2;
export const lateBelowDb = 9;

/** Time after a handheld scan during which fixed reads are labels of the location. */
export const labelMs = 20_000;

/** Reads of the asset at an antenna before they count as firmly at its location. */
export const firmReads = 4;

/** Difference up to which the differences between receipt and stamp of a reader's messages agree. */
export const clockAgreementMs = 3000;

/** Change of the offset below which it stays as it is: a message that is delivered twice gets the same time. */
export const clockHysteresisMs = 1000;

/** How long and how many messages must agree before an offset is believed: longer than the reads after an outage take. */
export const clockSpanMs = 60_000;
export const clockMessagesMin = 5;

/** The same for stamps ahead of their receipt, which no delay explains. */
export const clockAheadSpanMs = 2000;
export const clockAheadMessagesMin = 3;

/** Reads that a learned level is the mean of, at most: older ones count less and less. */
export const levelReadsMax = 2000;

/** The same for the labeled reads of a location and an antenna. */
export const signatureReadsMax = 500;

/** Bounds of what is learned: antennas of a reader, and antennas that receive assets at a location. */
export const antennasPerReaderMax = 64;
export const signaturesPerLocationMax = 32;
