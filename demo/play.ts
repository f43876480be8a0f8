import { type Account, openAccount } from './account.js';
import { createAir, tickMs } from './air.js';
import type { Api } from './api.js';
import { readReport } from './asset-report.js';
import { createDayClock } from './clock.js';
import { planDay } from './day.js';
import { deviceOf, type Traffic } from './device.js';
import { connectFleet } from './fleet.js';
import type { Options } from './options.js';
import type { Output } from './output.js';
import { createProgress } from './progress.js';
import { readers } from './readers.js';
import { createAssets, createLocations, createReader, type SetUp } from './setup.js';
import { minuteMs } from './shifts.js';
import { zones } from './site.js';
import { makeThings, type Thing } from './things.js';
import { createLedger, type Look, type MoveCount, sumOf } from './truth.js';

/** Messages of one reader that may be under way while the day goes on. */
const pendingMax = 200;
/** How often the service's report is held against the truth. */
const lookEveryMs = 5 * minuteMs;

/** What a day has shown. */
export type Outcome = {
  account: Account;
  setUp: SetUp;
  /** How much of the day was played, and how long it took. */
  playedMs: number;
  tookMs: number;
  looks: readonly { atMs: number; look: Look }[];
  sum: Look;
  moves: MoveCount;
  traffic: Readonly<Traffic>;
  lostReads: number;
  strayReads: number;
};

export type Stage = {
  api: Api;
  mqttUrl: string;
  output: Output;
  /** Ends the day early. */
  signal: AbortSignal;
};

/** Makes the warehouse and plays the day in it. Ended early, it has what was played until then. */
export async function playDay(options: Options, stage: Stage): Promise<Outcome> {
  const { seed, speed, dayMs } = options;
  const { api, mqttUrl, output, signal } = stage;
  const things = makeThings(seed, options.assets);
  const account = await openAccount(api, options.account, seed);
  const setUp = await setUpWarehouse({ ...stage, account, things, speed });

  const stays = planDay(things, { seed, lengthMs: dayMs });
  const air = createAir({ things, stays, readers }, seed);
  const ledger = createLedger(things);
  const clock = createDayClock({ speed, realNow: Date.now, signal });
  const begunAtMs = Date.now();
  const progress = createProgress({ output, dayMs, begunAtMs });
  const fleet = await connectFleet({
    ...{ setUp, things, mqttUrl, clock, ledger, seed, dayMs, signal },
    // Where nothing else sets the pace, each step waits for the last one's acknowledgements.
    pendingMax: Number.isFinite(speed) ? pendingMax : 0,
    tell: output.line,
  });
  clock.goOn();
  const looks: { atMs: number; look: Look }[] = [];
  let lostReads = 0;
  let strayReads = 0;
  let isOver = false;

  async function look(): Promise<void> {
    await fleet.settled();
    if (signal.aborted) return;
    const found = ledger.compare(await readReport(api, account.readKey, setUp));
    looks.push({ atMs: clock.now(), look: found });
    clock.goOn();
  }

  try {
    for (let untilMs = tickMs; untilMs <= dayMs && !signal.aborted; untilMs += tickMs) {
      await clock.reach(untilMs);
      const { moves, reads, lostReads: lost } = air.step();
      lostReads += lost;
      strayReads += reads.filter(({ isStray }) => isStray).length;
      for (const move of moves) ledger.moved(move);
      await fleet.take(reads);
      isOver = untilMs === dayMs;
      if (untilMs % lookEveryMs === 0 || isOver) await look();
      progress.show({ dayMs: untilMs, reads: fleet.traffic.reads, latest: looks.at(-1)?.look });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await fleet.end(!isOver || signal.aborted);
  }
  return {
    ...{ account, setUp, looks, lostReads, strayReads },
    playedMs: clock.now(),
    tookMs: Date.now() - begunAtMs,
    sum: sumOf(looks.map(({ look }) => look)),
    moves: ledger.moves(),
    traffic: fleet.traffic,
  };
}

async function setUpWarehouse({
  api,
  output,
  account,
  things,
  speed,
}: Stage & { account: Account; things: readonly Thing[]; speed: number }): Promise<SetUp> {
  const assets = things.filter(({ kind }) => kind !== 'stranger').length;
  output.line(
    `Making the organisation "${account.organization}": ${zones.length} locations, ${assets} assets, ${readers.length} readers`,
  );
  const locations = await createLocations(api, account);
  const thingOfAsset = await createAssets(api, account, {
    things,
    tell: (count) => output.status(`${count} of ${assets} assets`),
  });
  const logins = await Promise.all(
    readers.map((reader, place) =>
      createReader(api, account, { reader, locations, device: deviceOf(reader, { username: '', place, speed }) }),
    ),
  );
  return { zoneOfLocation: new Map(Array.from(locations, ([key, id]) => [id, key])), thingOfAsset, logins };
}
