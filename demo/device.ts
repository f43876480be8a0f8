import { connectAsync, type MqttClient } from 'mqtt';
import type { DayClock } from './clock.js';
import type { LatestReadRule } from './latest-read.js';
import type { Read } from './radio.js';
import type { Random } from './random.js';
import type { Reader } from './readers.js';
import type { Tag } from './things.js';
import type { DeliveredRead, Ledger } from './truth.js';
import type { Device, Message, Sighting } from './vendors/vendor.js';

/** A reader's time counts unless it is further ahead or before the retention; then the time of receipt counts. */
const aheadMaxMs = 5000;
const retentionMs = 365 * 86_400_000;

/**
 * The share of messages that are sent twice, as after a lost acknowledgment, and the share that are also sent
 * truncated.
 */
const duplicateShare = 0.01;
const brokenShare = 0.0005;

const connectTimeoutMs = 10_000;

/** The totals of all devices. */
export type Traffic = { messages: number; reads: number; duplicates: number; broken: number; heldReads: number };

export type DeviceOptions = {
  reader: Reader;
  device: Device;
  password: string;
  /** Of the form `mqtt://host:port`. */
  mqttUrl: string;
  clock: DayClock;
  /** Receives each read once it is acknowledged. */
  ledger: Pick<Ledger, 'held' | 'delivered'>;
  /** Receives each read when it is sent. */
  latestRead: Pick<LatestReadRule, 'take'>;
  traffic: Traffic;
  random: Random;
  tagOf: (read: Read) => Tag;
};

/**
 * Connects a device with its own user name and password: a reader that is registered with the service.
 *
 * @throws the MQTT client's error if the service cannot be reached or rejects the login
 */
export async function connectDevice(options: DeviceOptions) {
  const { reader, device, clock, ledger, latestRead, traffic, random } = options;
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

  /** The time that the device's own clock showed at an instant of the day, in epoch milliseconds. */
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

  /** Sends the gathered reads if a report is due; keeps them while there is no network. */
  function report(): void {
    if (clock.now() < nextReportMs || !isOnline) return;
    nextReportMs = clock.now() + vendor.reportSeconds * 1000;
    if (gathered.length > 0) send(gathered.splice(0));
  }

  function send(reads: readonly Read[]): void {
    const sightings = reads.map(sightingOf);
    const receivedAtMs = Date.now();
    const delivered = reads.map((read, i) => ({ read, stampMs: stampOf(sightings[i]?.atMs ?? 0, receivedAtMs) }));
    for (const read of delivered) latestRead.take(read, receivedAtMs);
    const messages = vendor.reports(device, sightings, { sequence, atMs: ownTime(clock.now()) });
    traffic.reads += reads.length;
    // A failure shows in `settled`, which waits for an acknowledgment too.
    Promise.all(messages.map(publishUnreliably)).then(
      () => acknowledge(delivered),
      () => {},
    );
  }

  function acknowledge(reads: readonly DeliveredRead[]): void {
    for (const read of reads) ledger.delivered(read);
  }

  /** Publishes a message, sometimes also truncated or twice. */
  async function publishUnreliably(message: Message): Promise<void> {
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

  /** Ends the connection; one that is lost already has no end to wait for. */
  async function disconnect(atOnce: boolean): Promise<void> {
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

    /** Takes what the device's antennas have read, and reports it if a report is due. */
    addReads(reads: readonly Read[]): void {
      gathered.push(...reads);
      if (!isOnline) {
        for (const read of reads) ledger.held(read);
        traffic.heldReads += reads.length;
      }
      report();
    },

    pending: () => pending,

    /** Resolves when no more than `pendingMax` messages wait for an acknowledgment. */
    async waitForPending(pendingMax: number): Promise<void> {
      while (pending > pendingMax) {
        await new Promise<void>((resolve) => {
          waiting.add(function wake() {
            waiting.delete(wake);
            resolve();
          });
        });
      }
    },

    /** Sends a heartbeat. Once it is acknowledged, everything sent before it is stored. */
    async heartbeat(): Promise<void> {
      if (isOnline) await publish(vendor.heartbeat(device, { sequence, atMs: ownTime(clock.now()) }));
    },

    /** Loses its network. */
    async goOffline(): Promise<void> {
      isOnline = false;
      await disconnect(true);
    },

    /** Connects again and delivers all reads held meanwhile. Returns their number. */
    async comeBack(): Promise<number> {
      client = await connect(options);
      isOnline = true;
      nextReportMs = 0;
      const count = gathered.length;
      report();
      return count;
    },

    /** Disconnects: as the protocol demands, or at once. */
    async end(atOnce = false): Promise<void> {
      if (isOnline) await disconnect(atOnce);
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
  // The client reconnects by itself and sends unacknowledged messages again.
  client.on('error', () => {});
  return client;
}

/** Returns the device of a reader, with a locally administered MAC address. */
export function deviceOf(
  { slug }: Reader,
  { username, index, speed }: { username: string; index: number; speed: number },
): Device {
  const mac = `02DE3000${index.toString(16).padStart(4, '0')}`.toUpperCase();
  return { name: slug, mac, username, hasFineTimes: speed > 1 };
}
