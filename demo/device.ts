import { connectAsync, type MqttClient } from 'mqtt';
import type { Read } from './air.js';
import type { DayClock } from './clock.js';
import type { Random } from './random.js';
import type { Reader } from './readers.js';
import type { Tag } from './things.js';
import type { DeliveredRead, Ledger } from './truth.js';
import type { Device, Message, Sighting } from './vendors/vendor.js';

/** The service takes a time that is no more ahead than this; otherwise, and for one before the retention, that of receipt. */
const aheadMaxMs = 5000;
const retentionMs = 365 * 86_400_000;

/** How often a message is sent once more, as after a lost acknowledgement, and how often one is cut in the middle. */
const duplicateShare = 0.01;
const brokenShare = 0.0005;

const connectTimeoutMs = 10_000;

/** What the devices have sent, all together. */
export type Traffic = { messages: number; reads: number; duplicates: number; broken: number; heldReads: number };

export type DeviceOptions = {
  reader: Reader;
  device: Device;
  password: string;
  /** Of the form `mqtt://host:port`. */
  mqttUrl: string;
  clock: DayClock;
  ledger: Ledger;
  traffic: Traffic;
  random: Random;
  tagOf: (read: Read) => Tag;
};

/**
 * Connects a device with its own user name and password: a reader as the service knows it.
 *
 * @throws what the MQTT client throws where the service cannot be reached or refuses the login
 */
export async function connectDevice(options: DeviceOptions) {
  const { reader, device, clock, ledger, traffic, random } = options;
  const { vendor } = reader;
  const bootedAtMs = clock.realAt(0);
  let client = await connect(options);
  const gathered: Read[] = [];
  let isOnline = true;
  let nextReportMs = 0;
  let sequence = 0;
  let pending = 0;
  const waiting = new Set<() => void>();
  const { birth } = vendor.connection(device);
  if (birth) await publish(birth);

  /** What its clock showed at an instant of the day, epoch milliseconds. */
  function ownTime(dayMs: number): number {
    const fault = reader.clockFault;
    if (fault?.kind === 'behind') return clock.realAt(dayMs - fault.byMs);
    if (fault?.kind === 'ahead') return clock.realAt(dayMs) + fault.byMs;
    return fault ? clock.realAt(dayMs) - bootedAtMs : clock.realAt(dayMs);
  }

  function sightingOf(read: Read): Sighting {
    const { antenna, rssiDbm, atMs } = read;
    return { value: options.tagOf(read).value, antenna: antenna.port, rssiDbm, atMs: ownTime(atMs) };
  }

  function publish({ topic, payload, qos, retain = false }: Message, dup = false): Promise<void> {
    traffic.messages += 1;
    sequence += 1;
    pending += 1;
    return new Promise<void>((resolve, reject) => {
      client.publish(topic, payload, { qos, retain, dup }, (error) => {
        pending -= 1;
        for (const wake of waiting) wake();
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Sends what was gathered, if it is time to, or keeps it while there is no network. */
  function report(): void {
    if (clock.now() < nextReportMs || !isOnline) return;
    nextReportMs = clock.now() + vendor.reportSeconds * 1000;
    if (gathered.length > 0) send(gathered.splice(0));
  }

  function send(reads: readonly Read[]): void {
    const sightings = reads.map(sightingOf);
    const receivedAtMs = Date.now();
    const counted = reads.map((read, i) => ({ read, stampMs: stampOf(sightings[i]?.atMs ?? 0, receivedAtMs) }));
    const messages = vendor.reports(device, sightings, { sequence, atMs: ownTime(clock.now()) });
    traffic.reads += reads.length;
    // A failure shows in `settled`, which waits for an acknowledgement too.
    Promise.all(messages.map(publishAsNetworksDo)).then(
      () => acknowledge(counted),
      () => {},
    );
  }

  function acknowledge(reads: readonly DeliveredRead[]): void {
    for (const read of reads) ledger.delivered(read, clock.now());
  }

  async function publishAsNetworksDo(message: Message): Promise<void> {
    if (random.chance(brokenShare)) {
      traffic.broken += 1;
      const half = message.payload.slice(0, Math.ceil(message.payload.length / 2));
      await publish({ ...message, payload: half });
    }
    const sent = publish(message);
    if (message.qos === 1 && random.chance(duplicateShare)) {
      traffic.duplicates += 1;
      await publish(message, true);
    }
    await sent;
  }

  /** Of a connection that is lost already there is nothing to wait for. */
  async function leave(atOnce: boolean): Promise<void> {
    if (client.connected) await client.endAsync(atOnce);
    else client.end(true);
  }

  /** The time that a read counts as. */
  function stampOf(ownMs: number, receivedAtMs: number): number {
    const isUsable = ownMs <= receivedAtMs + aheadMaxMs && ownMs >= receivedAtMs - retentionMs;
    return vendor.tellsTime && !reader.usesReceiptTime && isUsable ? ownMs : receivedAtMs;
  }

  return {
    reader,

    /** Takes what its antennas have read, and reports it when it is time to. */
    hear(reads: readonly Read[]): void {
      gathered.push(...reads);
      if (!isOnline) {
        for (const read of reads) ledger.held(read);
        traffic.heldReads += reads.length;
      }
      report();
    },

    pending: () => pending,

    /** Resolves when no more messages than these wait for an acknowledgement. */
    async room(pendingMax: number): Promise<void> {
      while (pending > pendingMax) {
        await new Promise<void>((resolve) => {
          waiting.add(function wake() {
            waiting.delete(wake);
            resolve();
          });
        });
      }
    },

    /** Sends a sign of life. Once it is acknowledged, everything sent before is stored. */
    async heartbeat(): Promise<void> {
      if (isOnline) await publish(vendor.heartbeat(device, { sequence, atMs: ownTime(clock.now()) }));
    },

    /** Loses its network without a word. */
    async goOffline(): Promise<void> {
      isOnline = false;
      await leave(true);
    },

    /** Has its network back, and delivers at once all that it had to keep. */
    async comeBack(): Promise<number> {
      client = await connect(options);
      isOnline = true;
      nextReportMs = 0;
      const count = gathered.length;
      report();
      return count;
    },

    /** Takes leave as the protocol asks for, or goes at once. */
    async end(atOnce = false): Promise<void> {
      if (isOnline) await leave(atOnce);
    },
  };
}

async function connect({ reader, device, password, mqttUrl }: DeviceOptions): Promise<MqttClient> {
  const { clientId, clean, keepaliveSeconds, will } = reader.vendor.connection(device);
  const client = await connectAsync(mqttUrl, {
    clientId,
    clean,
    username: device.username,
    password,
    keepalive: keepaliveSeconds,
    connectTimeout: connectTimeoutMs,
    protocolVersion: 4,
    ...(will && {
      will: { topic: will.topic, payload: Buffer.from(will.payload), qos: will.qos, retain: will.retain ?? false },
    }),
  });
  // It connects again by itself, and sends again what was not acknowledged.
  client.on('error', () => {});
  return client;
}

/** A device of the warehouse. Its MAC address is one of those that no maker gives away. */
export function deviceOf(
  { slug }: Reader,
  { username, place, speed }: { username: string; place: number; speed: number },
): Device {
  const mac = `02DE3000${place.toString(16).padStart(4, '0')}`.toUpperCase();
  return { name: slug, mac, username, hasFineTimes: speed > 1 };
}
