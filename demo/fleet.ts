import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DayClock } from './clock.js';
import { DemoError } from './demo-error.js';
import { connectDevice, type Traffic } from './device.js';
import type { LatestReadRule } from './latest-read.js';
import type { Read } from './radio.js';
import { createRandom } from './random.js';
import { readers } from './readers.js';
import type { SetUp } from './setup.js';
import { formatTime } from './shifts.js';
import type { Thing } from './things.js';
import type { Ledger } from './truth.js';

/** After this time without an acknowledgment, the demo gives up. */
const acknowledgmentTimeoutMs = 60_000;

export type FleetOptions = {
  setUp: SetUp;
  things: readonly Thing[];
  mqttUrl: string;
  clock: DayClock;
  ledger: Ledger;
  latestRead: LatestReadRule;
  seed: number;
  dayMs: number;
  signal: AbortSignal;
  /** The number of unacknowledged messages of one reader up to which the day goes on. */
  pendingMax: number;
  /** Receives a line of text when a reader loses its network or comes back. */
  onEvent: (line: string) => void;
};

/** The readers of the warehouse, each with its own connection. */
export type Fleet = {
  readonly traffic: Readonly<Traffic>;
  /** Passes the reads of a step to their readers, and waits if the service is too slow. */
  deliver(reads: readonly Read[]): Promise<void>;
  /** Resolves when everything that was sent is stored. */
  settled(): Promise<void>;
  end(atOnce: boolean): Promise<void>;
};

/** Connects all readers. Throws DemoError if one cannot connect. */
export async function connectFleet(options: FleetOptions): Promise<Fleet> {
  const { setUp, things, mqttUrl, clock, ledger, latestRead, seed, dayMs, signal, pendingMax, onEvent } = options;
  const traffic: Traffic = { messages: 0, reads: 0, duplicates: 0, broken: 0, heldReads: 0 };
  const devices = await Promise.all(
    readers.map((reader, index) => {
      const { device, password } = setUp.logins[index] ?? missing(reader.name);
      return connectDevice({
        reader,
        device,
        password,
        mqttUrl,
        clock,
        ledger,
        latestRead,
        traffic,
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

  async function deliver(reads: readonly Read[]): Promise<void> {
    for (const outage of outages) await updateOutage(outage);
    const byDevice: Read[][] = devices.map(() => []);
    for (const read of reads) byDevice[read.reader]?.push(read);
    for (const [index, device] of devices.entries()) device.addReads(byDevice[index] ?? []);
    // Lets acknowledgments arrive even if no device has to be waited for.
    await nextTurn();
    const slow = devices.filter((device) => device.pending() > pendingMax);
    if (slow.length > 0) await withTimeout(Promise.all(slow.map((device) => device.waitForPending(pendingMax))));
  }

  async function updateOutage(outage: (typeof outages)[number]): Promise<void> {
    const { device, fromMs, untilMs } = outage;
    const now = clock.now();
    if (!outage.isOn && !outage.isOver && now >= fromMs) {
      outage.isOn = true;
      await withTimeout(device.waitForPending(0));
      await device.goOffline();
      onEvent(`${formatTime(now)}  the reader "${device.reader.name}" has lost its network`);
    }
    if (outage.isOn && now >= untilMs) {
      outage.isOn = false;
      outage.isOver = true;
      const reads = await device.comeBack();
      onEvent(`${formatTime(now)}  the reader "${device.reader.name}" is back, and delivers ${reads} reads at once`);
    }
  }

  /** Waits for acknowledgments until they arrive, the day is ended, or the time is over. */
  async function withTimeout(acknowledged: Promise<unknown>): Promise<void> {
    let end = () => {};
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<void>((resolve, reject) => {
      end = resolve;
      signal.addEventListener('abort', end);
      timer = setTimeout(
        () => reject(new DemoError('The service has not acknowledged any message for a minute.')),
        acknowledgmentTimeoutMs,
      );
    });
    try {
      if (!signal.aborted) await Promise.race([acknowledged, ended]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  return {
    traffic,
    deliver,
    async settled() {
      await withTimeout(Promise.all(devices.map((device) => device.heartbeat().then(() => device.waitForPending(0)))));
    },
    async end(atOnce) {
      await Promise.all(devices.map((device) => device.end(atOnce)));
    },
  };
}

function missing(what: string): never {
  throw new Error(`there is no ${what}`);
}
