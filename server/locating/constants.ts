/**
 * The numbers of the decision; the numbers of a single estimate stand beside the estimate. Levels are in dB or dBm, times in
 * milliseconds. Times that matter follow the gaps between the reads that are observed; the times here are only their lower bounds.
 */

// What an asset's state keeps.

/**
 * Tallies an asset keeps: tags in overlapping fields are received by two to six antennas, and densely read ones by all
 * receivers of a hall.
 */
export const talliesMax = 8;
export const denseTalliesMax = 12;

/**
 * Reads that a tally counts. When one would exceed this, all tallies of the asset are halved, so that old reads fade.
 * The reads of an antenna that reads once a minute must remain enough beside the reads of one that reads once a second.
 */
export const tallyReadsMax = 1440;

/** The same for assets without RSSI: how often they are read is all that changes when they are moved. */
export const tallyReadsWithoutRssiMax = 60;

// Order and time.

/** Reads of two readers that are delivered out of order, by at most this much, are in time. */
export const jitterMs = 8000;

/** A further move within this time of one replaces it: most moves of this kind are first impressions. */
export const replaceMs = 5000;

/** Late reads that are closer together than this belong to one run in any case. */
export const runGapMinMs = 2000;

/** Gaps without a read after which a run of late reads has ended. */
export const runGaps = 3;

/** Reads of one antenna that are this far apart are independent; fading lasts for some tenths of a second. */
export const independentMs = 1000;

/** How much later than usual, in its usual gaps, a reader's next message may come before its silence counts. */
export const messageGaps = 1.5;

/** A reader's messages are at most this far apart as far as decisions wait for them. */
export const messageGapMaxMs = 5000;

// How antennas receive assets, until something was learned.

/** Level of an antenna without learned levels, and its uncertainty. */
export const levelUnknownDbm = -60;
export const levelUnknownSdDb = 8;

/** Spread of single reads of a tag that does not move. */
export const flickerUnknownDb = 3;

/** Time between two reads of a tag that does not move. */
export const gapUnknownMs = 2000;

/**
 * Spread of an asset's mean level between visits to the same location: it depends on where exactly the asset is put.
 */
export const visitSdDb = 5;

/** Spread of the mean level of a visit's reads, caused by people and goods that move around the asset. */
export const driftSdDb = 3;

/** How much weaker an antenna receives assets at other locations than at its own, and how much that varies. */
export const leakDb = 12;
export const leakSdDb = 6;

/**
 * Stands for everywhere outside of all locations: an asset in transit is received from a distance, this much more weakly
 * than at the antennas' own locations, with this spread, and by an average antenna with this probability.
 */
export const transit = -1;
export const transitDb = 15;
export const transitSdDb = 6;
export const transitAudibleShare = 0.4;

/**
 * How many visits in transit these values count as: for how often an antenna reads, for how often two read the same visit,
 * and for levels.
 */
export const transitReadsUnknown = 10;
export const transitPairsUnknown = 2;
export const transitLevelsUnknown = 20;

/**
 * The least spread of learned levels in transit, and how much stronger than expected they can be: otherwise weak reads at
 * a location would count as transit, and transit as ever stronger.
 */
export const transitSdMinDb = 4;
export const transitRiseMaxDb = 3;

/**
 * Share of visits in transit until it was learned, and how many visits this counts as. One of several locations is less
 * likely than transit at the same share, by this natural logarithm, and for learning by this.
 */
export const transitShareUnknown = 0.05;
export const transitShareVisits = 10;
export const transitAdvantage = 1.7;
export const transitAdvantageLearning = 3;

/**
 * The longer and the more often an asset is received without a change, the less likely it is in transit: e times less
 * for each of these durations, and by this natural logarithm for each read of an antenna.
 */
export const transitMs = 40_000;
export const transitReadCost = 0.15;

/** Reads of an antenna's own location from which on its learned level is what transit is compared with. */
export const transitLevelReads = 20;

/** Advantage that a location needs over transit: for reads that begin there, and for all since the last change. */
export const transitCost = 1;
export const transitCorrectionAdvantage = 1.5;

/** How many learned values these typical spreads count as, and the least spread. */
export const spreadSamples = 3;
export const spreadMinDb = 2;

/** How much the leak from A to B differs from that from B to A. */
export const reverseLeakSdDb = 4;

/** How much the levels of antennas at their own locations differ, and how many antennas `levelUnknownDbm` counts as. */
export const gainSdDb = 4;
export const usualLevelWeight = 0.5;

/** Visits below which nothing is concluded from a level, and from an antenna and a location being a pair. */
export const receptionReadsMin = 0.05;
export const pairReadsMin = 0.3;

/** How many visits to B count, at most, as to whether an antenna of B reads assets at A. */
export const oppositeVisitsMax = 3;

/** Share of visits during which an antenna reads the asset: at its own location, and at another one. */
export const ownAudibleShare = 0.95;
export const otherAudibleShare = 0.3;

/** Visits that these shares count as: few, so that it is learned quickly which antennas receive a location at all. */
export const audibleWeight = 1;

/** Opportunities that count as evidence of the share that an antenna uses: the share changes during a visit. */
export const shareReadsMax = 10;

/** Without RSSI a level is derived from the share of opportunities that led to a read: the steep part of a receiver's curve. */
export const pseudoLevelDbm = -66;
export const pseudoLevelSlopeDb = 2.2;
export const pseudoShareMin = 0.03;
export const pseudoShareMax = 0.95;
/** Such a level ends where hardly any or nearly all reads succeed, so its variance is this share of a measured one's. */
export const pseudoVarianceShare = 0.6;
/** What this gives for an antenna at its own location. */
export const pseudoOwnDbm = -59.5;

/** The most that a single antenna can speak against a location: reflections and obstacles happen. */
export const chanceMin = 1e-4;

/** The same for levels and for silence, as natural logarithms. */
export const outlierFloor = -8;
export const silenceFloor = -9;

/** The probability that a reader that reports nothing is offline, rather than without anything to read. */
export const offlineShare = 0.03;

/** The minimum share of visits in which an antenna starts late to read an asset that has not moved. */
export const newcomerShare = 0.1;

// What a different decision needs, as natural logarithms of likelihood ratios.

/**
 * Advantage that a move to another location needs: after a visit as long as the time since its last read, for e times as
 * long, and at most.
 */
export const moveCostMin = 3.5;
export const moveCostSlope = 0.6;
export const moveCostMax = 6;

/** The same compared with all other locations together: below it, it is better to wait for more reads. */
export const moveLead = 1.5;

/** Reads of a change after which it is decided even if several locations explain it about as well. */
export const waitReadsMax = 10;

/** Disadvantage of the location where the asset has just been. */
export const returnCost = 1;

/** Locations that are compared, at most. */
export const candidatesMax = 8;

/** Advantage that a correction needs: nothing has changed, but more reads are known. */
export const correctionAdvantage = 1;

/** Disadvantage of a change at which its reads no longer count as a change. */
export const noChangeDisadvantage = 0.3;

/** Disadvantage of the explanation that the asset was put down again at the same location. */
export const restartCost = 3;

/** Reads after which a change without an advantage is dropped. */
export const changeReadsMax = 20;

/** Reads of a visit that may all belong to its arrival. */
export const arrivalReadsMax = 6;

/** Reads of a visit that are too few to compare a change with. */
export const thinReads = 3;

/** Difference from the known level, in spreads of single reads, up to which a read is not considered a change. */
export const steadySpreads = 2.5;

/** Gaps for which the antennas of the location may be silent before reads by others are considered. */
export const steadyGaps = 2;

/** Gaps after which an antenna that read the asset is silent. */
export const silentGaps = 2.5;

// Tags that are read densely.

/** Tags that are read more often than this are read densely. */
export const denseMs = 700;

/** The level of a densely read tag is the mean over this time. */
export const levelMs = 10_000;

/** The same for the level of the last seconds. */
export const smoothMs = 2000;

// Late reads.

/** Convincing late reads: this many at an antenna, not further below its own level than this. */
export const lateReadsMin = 2;
export const lateBelowDb = 9;

// Labels, and what is learned.

/** Time after a handheld scan during which fixed reads are labels of the location. */
export const labelMs = 20_000;

/** Reads of the asset at an antenna before they count as firmly at its location. */
export const firmReads = 4;

/** The same for time, once a level is known: assets that pass an antenna at a distance must not lower it. */
export const firmMs = 60_000;

/** Reads of a visit when its pattern is learned; again whenever the number has doubled, and when the visit ends. */
export const patternReads = 24;
export const patternReadsMin = 4;

/** Reads of an antenna with which a visit counts in full. */
export const patternReadsFull = 12;

/** Share of its opportunities that an antenna must have used to be part of a pattern: stray reads are not. */
export const patternShareMin = 0.12;

/** Visits that one labeled visit counts as. */
export const labelWeight = 2;

/** How often all patterns are iterated over until the locations of their visits converge. */
export const sweeps = 10;

/** Difference of level that makes a visit e times more likely at the stronger antenna, before anything was learned. */
export const firstGuessDb = 3;

/** Patterns that are judged again for each new one: bounds the time of one step. */
export const patternsPerStep = 120;
export const patternsPerStepMin = 24;

/**
 * The same per second and organization, and how many may be accumulated: a pattern takes about 20 µs, and a busy
 * organization must not slow down the others.
 */
export const patternsPerSecond = 1000;
export const patternsSavedMax = 20_000;

/** Patterns that are kept: for each location, and for readers whose fields overlap. */
export const patternsPerLocation = 24;
export const patternsMin = 200;
export const patternsMax = 20_000;

/** Visits that stored signatures count as after a start. */
export const storedVisitsMax = 12;

/** A learned level is the mean of at most this many reads: older ones count less and less. */
export const levelReadsMax = 2000;

/** Bounds of what is learned: antennas of a reader, and antennas that receive assets at a location. */
export const antennasPerReaderMax = 64;
export const signaturesPerLocationMax = 32;

// Assets near a location.

/** How far below an antenna's own level a read can be and still count as the read of an asset at its location. */
export const ownLikeBelowDb = 11;

/** The number of weaker reads that is enough for a move all the same. */
export const weakReadsMin = 4;
