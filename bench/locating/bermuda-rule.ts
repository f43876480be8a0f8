import type { Decider, SiteSetup, TagRead } from './decider.js';

/** The parameters of Bermuda, an integration of Home Assistant, as it ships. */
const roundMs = 1050;
const roundsMax = 20;
const awayMs = 30_000;
const freshMs = 10_000;
const reachM = 20;
const oneMeterDbm = -55;
const dbPerDecade = 30;
const nearerShare = 0.3;
const steadyShare = 0.15;
const steadyRounds = 5;
const missingDbm = -65;

/** What an antenna knows of an asset: distances in meters, the newest first. */
type Advert = {
  location: number;
  stampMs: number;
  isNew: boolean;
  rawM: number;
  meanM: number | null;
  rounds: number[];
};

/**
 * Creates the rule of Bermuda: every 1.05 s the distance by RSSI of each antenna is smoothed by a mean of running minima over
 * 20 rounds. Another antenna takes an asset over if it is nearer by 30 %, or by 15 % if it was nearer in all of its last five
 * rounds than the present one was in any. Times are of receipt.
 */
export function createBermudaRule({ assets, antennas }: SiteSetup): Decider {
  const adverts = Array.from({ length: assets }, () => new Map<number, Advert>());
  const holders: (Advert | undefined)[] = Array.from({ length: assets }, () => undefined);
  const locations = new Uint16Array(assets);
  let roundAtMs = 0;

  function round(asset: number, nowMs: number): void {
    const all = [...(adverts[asset]?.values() ?? [])];
    for (const advert of all) measure(advert, nowMs);
    let holder = holders[asset];
    if (holder?.meanM === null) holder = undefined;
    for (const advert of all) {
      const canWin = advert.stampMs >= nowMs - freshMs && advert.meanM !== null && advert.meanM <= reachM;
      if (canWin && advert !== holder && (!holder || isNearer(advert, holder))) holder = advert;
    }
    holders[asset] = holder;
    if (holder) locations[asset] = holder.location;
  }

  function runUntil(nowMs: number): void {
    if (roundAtMs === 0) roundAtMs = nowMs;
    for (; roundAtMs <= nowMs; roundAtMs += roundMs) for (let i = 0; i < assets; i += 1) round(i, roundAtMs);
  }

  function hear(
    asset: number,
    key: number,
    { location, dbm, atMs }: { location: number; dbm: number; atMs: number },
  ): void {
    const known = adverts[asset]?.get(key);
    const rawM = 10 ** ((oneMeterDbm - dbm) / dbPerDecade);
    if (known) Object.assign(known, { stampMs: atMs, isNew: true, rawM });
    else adverts[asset]?.set(key, { location, stampMs: atMs, isNew: true, rawM, meanM: null, rounds: [] });
  }

  return {
    onMessage: ({ receivedMs }) => runUntil(receivedMs),
    onRead({ asset, antenna, rssiDbm, receivedMs }: Readonly<TagRead>) {
      const location = antennas[antenna]?.location ?? 0;
      hear(asset, antenna, { location, dbm: rssiDbm ?? missingDbm, atMs: receivedMs });
    },
    onHandheld: ({ asset, location, atMs }) => hear(asset, -1 - location, { location, dbm: 0, atMs }),
    expire: runUntil,
    locationOf: (asset) => locations[asset] ?? 0,
  };
}

function measure(advert: Advert, nowMs: number): void {
  const { isNew, rawM, rounds } = advert;
  advert.isNew = false;
  if (!isNew && advert.stampMs < nowMs - awayMs) Object.assign(advert, { meanM: null, rounds: [] });
  else if (isNew || advert.meanM !== null) {
    rounds.unshift(rawM);
    rounds.length = Math.min(roundsMax, rounds.length);
    let least = rawM;
    let sum = 0;
    for (const distanceM of rounds) sum += least = Math.min(least, distanceM);
    advert.meanM = Math.min(rawM, sum / rounds.length);
  }
}

function isNearer(advert: Advert, holder: Advert): boolean {
  const [near, far] = [advert.meanM ?? Infinity, holder.meanM ?? Infinity];
  if (far < near) return false;
  const share = (far - near) / ((far + near) / 2);
  const isSteady =
    advert.rounds.length >= steadyRounds &&
    Math.max(...advert.rounds.slice(0, steadyRounds)) < Math.min(...holder.rounds.slice(0, steadyRounds));
  return share >= nearerShare || (isSteady && share > steadyShare);
}
