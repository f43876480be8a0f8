import { type Account, openAccount, openSession } from './account.js';
import { signInLines } from './next-steps.js';
import { type Api, createApi } from './api.js';
import { readReport } from './asset-report.js';
import { createDayClock } from './clock.js';
import { planDay } from './day.js';
import { deviceOf } from './device.js';
import { connectFleet } from './fleet.js';
import { createFloorPlan } from './floor-plan.js';
import { createLatestReadRule } from './latest-read.js';
import { agreementOf, type LocatingResult, type ScoredDay, scoreAssets, type TimedReport } from './locating-result.js';
import type { Placement } from './location-score.js';
import { type Options, usualSpeed } from './options.js';
import type { Outcome } from './outcome.js';
import type { Output } from './output.js';
import { createProgress } from './progress.js';
import { createRadioModel, tickMs } from './radio.js';
import { readers } from './readers.js';
import { readPlacements } from './reported-visits.js';
import { createAssets, createLocations, createReader, type SetUp } from './setup.js';
import { minuteMs } from './shifts.js';
import { zones } from './site.js';
import { makeThings, type Thing } from './things.js';
import { type Comparison, createLedger, sumOf } from './truth.js';

/** The number of unacknowledged messages of one reader up to which the day goes on. */
const pendingMax = 200;
/** How often the service's report is compared with the truth. */
const compareEveryMs = 5 * minuteMs;
/** How long reading the visits may take if the day was ended early, because a person is waiting then. */
const lastReadingMs = 20_000;

export type PlayContext = {
  api: Api;
  mqttUrl: string;
  output: Output;
  /** Ends the day early. */
  signal: AbortSignal;
};

/** Creates the warehouse and plays the day in it. If the day is ended early, the outcome covers what was played. */
export async function playDay(options: Options, context: PlayContext): Promise<Outcome> {
  const { seed, dayMs } = options;
  const { api, output, signal } = context;
  const things = makeThings(seed, options.assets);
  const account = await openAccount(api, options.account, seed);
  output.line(signInLines(api.url, account));
  const setUp = await setUpWarehouse(options, { ...context, account, things });

  const journeys = planDay(things, { seed, lengthMs: dayMs });
  const beganAtMs = Date.now();
  const progress = createProgress({ output, dayMs, beganAtMs });
  const { radio, ledger, latestRead, clock, fleet } = await beginDay(options, context, { setUp, things, journeys });
  const comparisons: { atMs: number; comparison: Comparison }[] = [];
  const reports: TimedReport[] = [];
  let lostReads = 0;
  let strayReads = 0;
  let isOver = false;

  async function compare(): Promise<void> {
    await fleet.settled();
    if (signal.aborted) return;
    const reported = await readReport(api, account.readKey, setUp);
    reports.push({ atMs: clock.now(), reported });
    comparisons.push({ atMs: clock.now(), comparison: ledger.compare(reported) });
    clock.resume();
  }

  try {
    for (let untilMs = tickMs; untilMs <= dayMs && !signal.aborted; untilMs += tickMs) {
      await clock.reach(untilMs);
      const { moves, reads, lostReads: lost } = radio.step();
      lostReads += lost;
      strayReads += reads.filter(({ isStray }) => isStray).length;
      for (const move of moves) ledger.moved(move);
      await fleet.deliver(reads);
      isOver = untilMs === dayMs;
      if (untilMs % compareEveryMs === 0 || isOver) await compare();
      progress.show({ dayMs: untilMs, reads: fleet.traffic.reads, latest: comparisons.at(-1)?.comparison });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await fleet.end(!isOver || signal.aborted);
  }
  const tookMs = Date.now() - beganAtMs;
  const day = { things, journeys, untilMs: clock.now() };
  const visits = await readVisits(options, { ...context, account, setUp, dayAt: clock.dayAt });
  return {
    account,
    setUp,
    things,
    journeys,
    comparisons,
    lostReads,
    strayReads,
    tookMs,
    playedMs: clock.now(),
    sum: sumOf(comparisons.map(({ comparison }) => comparison)),
    locating: locatingResult(day, { visits, latestRead: latestRead.placements(clock.dayAt), reports }),
    traffic: fleet.traffic,
  };
}

/** Plays the days after the first one, one after the other and at most at the usual speed, until the signal. */
export async function playOn(
  options: Options,
  context: PlayContext,
  { setUp, things, ...first }: Outcome,
): Promise<void> {
  const { seed, dayMs } = options;
  const { output, signal } = context;
  const slowed = { ...options, speed: Math.min(options.speed, usualSpeed) };
  let { journeys } = first;
  for (let no = 1; !signal.aborted; no += 1) {
    journeys = planDay(things, { seed, lengthMs: dayMs, before: { no, journeys } });
    output.line(`Day ${no + 1} begins.`);
    const { radio, clock, fleet } = await beginDay(slowed, context, { setUp, things, journeys });
    try {
      for (let untilMs = tickMs; untilMs <= dayMs && !signal.aborted; untilMs += tickMs) {
        await clock.reach(untilMs);
        await fleet.deliver(radio.step().reads);
      }
    } finally {
      await fleet.end(signal.aborted);
    }
  }
}

type Warehouse = Pick<Outcome, 'setUp' | 'things' | 'journeys'>;

/** Connects the readers, and begins the day. */
async function beginDay(
  { seed, speed, dayMs, locationRule }: Options,
  { mqttUrl, output, signal }: PlayContext,
  { setUp, things, journeys }: Warehouse,
) {
  const radio = createRadioModel({ things, journeys, readers }, seed);
  const ledger = createLedger(things, locationRule ?? 'evidence');
  const latestRead = createLatestReadRule(things.length);
  const clock = createDayClock({ speed, realNow: Date.now, signal });
  const fleet = await connectFleet({
    setUp,
    things,
    mqttUrl,
    clock,
    ledger,
    latestRead,
    seed,
    dayMs,
    signal,
    // At maximum speed each step waits for the acknowledgments of the one before.
    pendingMax: Number.isFinite(speed) ? pendingMax : 0,
    onEvent: output.line,
  });
  clock.resume();
  return { radio, ledger, latestRead, clock, fleet };
}

async function setUpWarehouse(
  { speed, locationRule }: Options,
  { api, output, account, things }: PlayContext & { account: Account; things: readonly Thing[] },
): Promise<SetUp> {
  const assets = things.filter(({ kind }) => kind !== 'foreign tag').length;
  output.line(
    `Creating the organization "${account.organization}": ${zones.length} locations, ${assets} assets, ${readers.length} readers`,
  );
  const locations = await createLocations(api, account);
  const planUrl = await createFloorPlan(api, account, locations);
  output.line(`The floor plan is at ${planUrl}`);
  const thingOfAsset = await createAssets(api, account, {
    things,
    onProgress: (count) => output.status(`${count} of ${assets} assets`),
  });
  const logins = await Promise.all(
    readers.map((reader, index) => {
      const device = deviceOf(reader, { username: '', index, speed });
      return createReader(api, account, { reader, locations, device, locationRule });
    }),
  );
  return { zoneOfLocation: new Map(Array.from(locations, ([key, id]) => [id, key])), thingOfAsset, logins, planUrl };
}

type DayReader = PlayContext & { account: Account; setUp: SetUp; dayAt: (realMs: number) => number };

/** Reads what the service reported over the day; undefined if the day was ended early and that takes too long. */
async function readVisits(
  options: Options,
  { api, output, signal, account, setUp, dayAt }: DayReader,
): Promise<Map<number, Placement[]> | undefined> {
  const reader = signal.aborted ? createApi(api.url, AbortSignal.timeout(lastReadingMs)) : api;
  output.status('Reading the visits of all assets');
  try {
    // The session of the beginning may have expired.
    const { email, password = '' } = account;
    const token = await openSession(reader, options.account ?? { email, password });
    return await readPlacements({ api: reader, token, setUp, dayAt });
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}

type Placements = {
  visits: ReadonlyMap<number, readonly Placement[]> | undefined;
  latestRead: readonly (readonly Placement[])[];
  reports: readonly TimedReport[];
};

function locatingResult(day: ScoredDay, { visits, latestRead, reports }: Placements): LocatingResult {
  const ofService = (thing: number) => visits?.get(thing) ?? [];
  return {
    service: visits && scoreAssets(day, ofService),
    latestRead: scoreAssets(day, (thing) => latestRead[thing] ?? []),
    agreement: visits ? agreementOf(reports, ofService) : { compared: 0, agreed: 0 },
  };
}
