import type { Decider, Message, SiteSetup, TagRead } from './decider.js';
import { createQuickestClock } from './quickest-clock.js';

/**
 * Constants of the rule. They were chosen on simulated visits of one to three minutes that are not part of this
 * benchmark.
 */
export const smoothConstants = {
  /** Mean time until an asset leaves a location, and until an asset on the way arrives, in seconds. */
  leaveS: 130,
  settleS: 8.7,
  /** A location is reported when its probability is above this. */
  sureMin: 0.89,
  /** How much weaker than at home a stray read and a read on the way are, in dB, and how often they occur. */
  strayDb: 18.3,
  strayRate: 0.21,
  wayDb: 12.7,
  wayRate: 0.22,
  /** The same for a location without an antenna: reads within this of the level at home speak against it. */
  hiddenDb: 8,
  hiddenSpreadDb: 3,
  /** Spread of levels until it is learned, in dB, and rate of stray reads without RSSI. */
  spreadDb: 9.25,
  strayRateWithoutRssi: 0.08,
  /** Reads of one location within this many seconds count as one read, but each has at least the weight. */
  burstS: 1.5,
  weightMin: 0.17,
  /**
   * The cost of each overdue read at home, of all overdue reads together, and at locations without any read, as natural
   * logarithms.
   */
  silence: 0.16,
  silenceMax: 5.3,
  unheard: 0.12,
  /** How much the expected level falls for each read that is overdue at home, and the maximum, in dB. */
  dropDb: 0.36,
  dropDbMax: 3.4,
  /** The expected level is at most this much below the mean of all tags, in dB. */
  belowDbMax: 1.4,
  /** Time constants of the level at home when it rises and when it falls, in seconds. */
  riseS: 67,
  fallS: 35,
  /** Reads older than this are ignored, and a reader without a message for this long counts as offline, in seconds. */
  lateS: 8,
  offlineS: 4,
};

const silentReadsMax = 6;
const beliefMin = 1e-7;
const gapMinS = 0.5;
const gapMaxS = 90;

/** The belief about one asset; times are seconds of the server's clock. */
type Belief = {
  /** Probabilities by location; index 0 is "on the way". */
  chances: Float64Array;
  location: number;
  atS: number;
  /** The newest read at its location, the usual time between two reads, and the cost of the silence since. */
  homeReadS: number;
  homeGapS: number;
  paid: number;
  movedS: number;
  /** By location: its newest read. */
  readS: Float64Array;
  /** By tag: its usual level at home, and when the level was last learned. */
  usual: Map<number, { dbm: number; atS: number }>;
};

/**
 * Creates a running belief over all locations and "on the way". A read with the tag's usual level at home is evidence
 * for its location; a weak read is evidence for a stray read or for "on the way". A location that becomes silent while
 * its reader reports loses probability. The report changes when the probability of another location is high.
 */
export function createSmooth(site: SiteSetup, constants = smoothConstants): Decider {
  const c = constants;
  const { locations, antennas } = site;
  const readerOf = Array.from(
    { length: locations + 1 },
    (_, location) => antennas.find((antenna) => antenna.location === location)?.reader,
  );
  const beliefs: (Belief | undefined)[] = Array.from({ length: site.assets }, () => undefined);
  const clock = createQuickestClock();
  const heardS = new Map<number, number>();
  /** Level and spread of all tags at home. */
  const all = { dbm: Number.NaN, spreadDb: c.spreadDb };

  const isSilent = (location: number, nowS: number) => {
    const reader = readerOf[location];
    return reader === undefined || nowS - (heardS.get(reader) ?? -Infinity) >= c.offlineS;
  };

  function begin(location: number, atS: number): Belief {
    return {
      chances: new Float64Array(locations + 1).fill(0.5 / locations),
      location,
      atS,
      homeReadS: atS,
      homeGapS: 3,
      paid: 0,
      movedS: -Infinity,
      readS: new Float64Array(locations + 1).fill(-Infinity),
      usual: new Map(),
    };
  }

  /** Lets time pass until a read at a location. */
  function advance(belief: Belief, { location, atS, nowS }: { location: number; atS: number; nowS: number }): void {
    const { chances, location: home } = belief;
    const passedS = Math.max(0, atS - belief.atS);
    belief.atS = Math.max(atS, belief.atS);
    const leaving = 1 - Math.exp(-passedS / c.leaveS);
    const settling = (1 - Math.exp(-passedS / c.settleS)) * (chances[0] ?? 0);
    const silent = Math.exp(-c.unheard * Math.min(silentReadsMax, passedS / belief.homeGapS));
    let left = 0;
    for (let at = 1; at <= locations; at += 1) {
      const chance = chances[at] ?? 0;
      left += chance * leaving;
      const isUnread = at !== home && at !== location && readerOf[at] !== undefined;
      chances[at] = (chance * (1 - leaving) + settling / locations) * (isUnread ? silent : 1);
    }
    chances[0] = (chances[0] ?? 0) - settling + left;
    if (location === home) return;
    const reads = Math.min(silentReadsMax, Math.max(0, passedS / belief.homeGapS - 1));
    chances[location] = (chances[location] ?? 0) * Math.exp(-c.unheard * reads);
    if (isSilent(home, nowS)) return;
    const owed = Math.min(c.silenceMax, c.silence * Math.max(0, (atS - belief.homeReadS) / belief.homeGapS - 1));
    if (owed <= belief.paid) return;
    chances[home] = (chances[home] ?? 0) * Math.exp(belief.paid - owed);
    belief.paid = owed;
  }

  /** The level at which the tag is expected at home; it falls while the home is silent, since the tag may be covered. */
  function expectedDbm(belief: Belief, { tag, location, atS, nowS }: Timed): number {
    const known = belief.usual.get(tag);
    if (!known) return all.dbm;
    const { location: home } = belief;
    const isHidden = location === home || readerOf[home] === undefined;
    const trust = isSilent(home, nowS) ? 0.4 : 1;
    const overdue = isHidden ? 0 : (trust * (atS - belief.homeReadS)) / Math.max(1, belief.homeGapS);
    return Math.max(known.dbm, all.dbm - c.belowDbMax) - Math.min(c.dropDbMax, c.dropDb * Math.max(0, overdue - 2));
  }

  /** Weighs one read. */
  function weigh(belief: Belief, read: Timed): void {
    const { chances, location: home, readS } = belief;
    const { location, rssiDbm, atS } = read;
    const sinceS = atS - (readS[location] ?? 0);
    readS[location] = atS;
    const weight = Math.max(c.weightMin, Math.min(1, sinceS / c.burstS));
    const log = { own: 0, stray: Math.log(c.strayRateWithoutRssi), way: Math.log(c.wayRate), hidden: 0 };
    if (rssiDbm !== null && !Number.isNaN(all.dbm)) {
      const variance = 2 * all.spreadDb ** 2;
      const db = Math.max(-18, Math.min(6, rssiDbm - expectedDbm(belief, read)));
      log.own = -(db ** 2) / variance;
      log.stray = -((db + c.strayDb) ** 2) / variance + Math.log(c.strayRate);
      log.way += -((db + c.wayDb) ** 2) / variance;
      log.hidden = -(Math.max(0, db + c.hiddenDb) ** 2) / (2 * c.hiddenSpreadDb ** 2);
    }
    const isHidden = readerOf[home] === undefined;
    for (let at = 0; at <= locations; at += 1) {
      const fits = at === 0 ? log.way : at === location ? log.own : isHidden && at === home ? log.hidden : log.stray;
      chances[at] = (chances[at] ?? 0) * Math.exp(weight * fits);
    }
    const sum = chances.reduce((total, chance) => total + chance, 0);
    for (let at = 0; at <= locations; at += 1) chances[at] = Math.max(beliefMin, (chances[at] ?? 0) / sum);
  }

  function learn(belief: Belief, { tag, rssiDbm, atS }: Timed): void {
    const gapS = atS - belief.homeReadS;
    if (gapS > 0) {
      if (gapS < gapMaxS) belief.homeGapS = Math.max(gapMinS, belief.homeGapS + 0.2 * (gapS - belief.homeGapS));
      belief.homeReadS = atS;
      belief.paid = 0;
    }
    if (rssiDbm === null || (belief.chances[belief.location] ?? 0) <= 0.5) return;
    const known = belief.usual.get(tag) ?? { dbm: rssiDbm, atS: atS - 5 };
    const passedS = Math.max(0.1, Math.min(10, atS - known.atS));
    const share = 1 - Math.exp(-passedS / (rssiDbm > known.dbm ? c.riseS : c.fallS));
    all.dbm += 0.005 * (rssiDbm - all.dbm);
    all.spreadDb += 0.003 * (1.25 * Math.abs(rssiDbm - known.dbm) + 0.5 - all.spreadDb);
    belief.usual.set(tag, { dbm: known.dbm + share * (rssiDbm - known.dbm), atS });
  }

  function take(asset: number, read: Timed): void {
    const { location, rssiDbm, atS, nowS } = read;
    if (Number.isNaN(all.dbm) && rssiDbm !== null) all.dbm = rssiDbm;
    let belief = beliefs[asset];
    if (!belief) {
      belief = begin(location, atS);
      belief.chances[0] = 0.5;
      beliefs[asset] = belief;
    }
    if (nowS - atS > c.lateS || atS < belief.movedS - 0.5) return;
    advance(belief, { location, atS, nowS });
    weigh(belief, read);
    if (location === belief.location) learn(belief, read);
    else if ((belief.chances[location] ?? 0) > c.sureMin) {
      Object.assign(belief, { location, movedS: atS, homeReadS: atS, paid: 0 });
    }
  }

  return {
    onMessage(message: Message) {
      clock.observe(message);
      heardS.set(message.reader, message.receivedMs / 1000);
    },
    onRead({ asset, tag, antenna, reader, rssiDbm, stampMs, receivedMs }: TagRead) {
      const location = antennas[antenna]?.location ?? 0;
      const atS = Math.min(receivedMs, stampMs + clock.offsetMs(reader)) / 1000;
      take(asset, { tag, location, rssiDbm, atS, nowS: receivedMs / 1000 });
    },
    onHandheld({ asset, location, atMs }) {
      const atS = atMs / 1000;
      const belief = beliefs[asset] ?? begin(location, atS);
      beliefs[asset] = belief;
      Object.assign(belief, { location, atS: Math.max(atS, belief.atS), movedS: atS, homeReadS: atS });
      belief.chances.fill(1e-6);
      belief.chances[location] = 1;
    },
    locationOf: (asset) => beliefs[asset]?.location ?? 0,
    confidenceOf: (asset) => {
      const belief = beliefs[asset];
      return belief ? (belief.chances[belief.location] ?? 0) : 0;
    },
  };
}

type Timed = { tag: number; location: number; rssiDbm: number | null; atS: number; nowS: number };
