import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Read } from './air.js';
import type { DayClock } from './clock.js';
import { DemoError } from './demo-error.js';
import { connectDevice, type Traffic } from './device.js';
import { createRandom } from './random.js';
import { readers } from './readers.js';
import type { SetUp } from './setup.js';
import { wallClock } from './shifts.js';
import type { Thing } from './things.js';
import type { Ledger } from './truth.js';

/** After so long without an acknowledgement nobody is there any more. */
const patienceMs = 60_000;

export type FleetOptions = {
  setUp: SetUp;
  things: readonly Thing[];
  mqttUrl: string;
  clock: DayClock;
  ledger: Ledger;
  seed: number;
  dayMs: number;
  signal: AbortSignal;
  /** Messages of one reader without an acknowledgement up to which the day goes on. */
  pendingMax: number;
  /** Hears of what happens to readers. */
  tell: (line: string) => void;
};

/** The readers of the warehouse, each with its own connection. */
export type Fleet = {
  readonly traffic: Readonly<Traffic>;
  /** Hands over what has been read until now, and waits where the service is not quick enough. */
  take(reads: readonly Read[]): Promise<void>;
  /** Resolves when everything that was sent is stored. */
  settled(): Promise<void>;
  end(atOnce: boolean): Promise<void>;
};

/** Connects all readers. Throws DemoError where that is not possible. */
export async function connectFleet(options: FleetOptions): Promise<Fleet> {
  const { setUp, things, mqttUrl, clock, ledger, seed, dayMs, signal, pendingMax, tell } = options;
  const traffic: Traffic = { messages: 0, reads: 0, duplicates: 0, broken: 0, heldReads: 0 };
  const devices = await Promise.all(
    readers.map((reader, place) => {
      const { device, password } = setUp.logins[place] ?? missing(reader.name);
      return connectDevice({
        ...{ reader, device, password, mqttUrl, clock, ledger, traffic },
        random: createRandom(seed, `network of ${reader.slug}`),
        tagOf: ({ thing, tag }) => things[thing]?.tags[tag] ?? missing(`tag of ${thing}`),
      });
    }),
  ).catch((error: unknown) => {
    throw new DemoError(`The readers cannot connect to ${mqttUrl}: ${(error as Error).message}`, { cause: error });
  });
  const outages = devices.flatMap((device) => {
    const { offline } = device.reader;
    return offline
      ? [{ device, fromMs: offline.from * dayMs, untilMs: offline.until * dayMs, isOver: false, isOn: false }]
      : [];
  });

  async function take(reads: readonly Read[]): Promise<void> {
    for (const outage of outages) await passOutage(outage);
    const heard: Read[][] = devices.map(() => []);
    for (const read of reads) heard[read.reader]?.push(read);
    for (const [place, device] of devices.entries()) device.hear(heard[place] ?? []);
    // Acknowledgements have a chance to come in even where nothing has to be waited for.
    await nextTurn();
    const slow = devices.filter((device) => device.pending() > pendingMax);
    if (slow.length > 0) await patiently(Promise.all(slow.map((device) => device.room(pendingMax))));
  }

  async function passOutage(outage: (typeof outages)[number]): Promise<void> {
    const { device, fromMs, untilMs } = outage;
    const now = clock.now();
    if (!outage.isOn && !outage.isOver && now >= fromMs) {
      outage.isOn = true;
      await patiently(device.room(0));
      await device.goOffline();
      tell(`${wallClock(now)}  the reader "${device.reader.name}" has lost its network`);
    }
    if (outage.isOn && now >= untilMs) {
      outage.isOn = false;
      outage.isOver = true;
      const reads = await device.comeBack();
      tell(`${wallClock(now)}  the reader "${device.reader.name}" is back, and delivers ${reads} reads at once`);
    }
  }

  async function patiently(acknowledged: Promise<unknown>): Promise<void> {
    let giveUp = () => {};
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<void>((resolve, reject) => {
      giveUp = resolve;
      signal.addEventListener('abort', giveUp);
      timer = setTimeout(
        () => reject(new DemoError('The service has not acknowledged anything for a minute.')),
        patienceMs,
      );
    });
    try {
      if (!signal.aborted) await Promise.race([acknowledged, end]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  return {
    traffic,
    take,
    async settled() {
      await patiently(Promise.all(devices.map((device) => device.heartbeat().then(() => device.room(0)))));
    },
    async end(atOnce) {
      await Promise.all(devices.map((device) => device.end(atOnce)));
    },
  };
}

function missing(what: string): never {
  throw new Error(`there is no ${what}`);
}
