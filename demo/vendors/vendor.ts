import type { TagType } from '../things.js';

/** A read of a tag as a device reports it. */
export type Sighting = {
  /** An EPC as upper-case hexadecimal digits, or the twelve digits of a MAC address. */
  value: string;
  antenna: number;
  /** Whole. */
  rssiDbm: number;
  /** By the device's own clock, epoch milliseconds. */
  atMs: number;
};

/** A device in the warehouse. */
export type Device = {
  /** Letters, digits and dashes. */
  name: string;
  /** Twelve upper-case hexadecimal digits. */
  mac: string;
  /** The user name of its login; its own topics begin with it. */
  username: string;
  /** Whether times that are usually whole seconds have fractions, since the day runs faster than real time. */
  hasFineTimes: boolean;
};

export type Message = { topic: string; payload: string; qos: 0 | 1 | 2; retain?: boolean };

/** The number of messages that a device has sent so far, and the time by its clock. */
export type Moment = { sequence: number; atMs: number };

/** How the devices of one manufacturer publish over MQTT. */
export type Vendor = {
  make: string;
  /** The format that the reader is registered with. */
  format: string;
  /** Further settings of the registration. */
  settings?: Readonly<Record<string, unknown>>;
  tagType: TagType;
  /** Whether its messages hold the time of each read in a form that the service understands. */
  tellsTime: boolean;
  /** Returns the topic of its reads, which may hold wildcards. A topic below its user name need not be registered. */
  publishTopic(device: Device): string;
  connection(device: Device): {
    clientId: string;
    clean: boolean;
    keepaliveSeconds: number;
    will?: Message;
    /** A message that it publishes when it has connected. */
    birth?: Message;
  };
  /** How long it gathers reads before it reports them, in seconds of the day. */
  reportSeconds: number;
  reports(device: Device, sightings: readonly Sighting[], moment: Moment): Message[];
  /** Returns a heartbeat, at QoS 1 or 2 so that it is acknowledged. */
  heartbeat(device: Device, moment: Moment): Message;
};

/** Splits items into chunks that fit one message. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** Formats twelve digits as `AA:BB:CC:DD:EE:FF`. */
export function withColons(mac: string): string {
  return mac.replace(/(..)(?!$)/g, '$1:');
}

/** Returns an instant as a device reports it whose times are whole seconds. */
export function secondsOf({ hasFineTimes }: Device, atMs: number): number {
  return hasFineTimes ? atMs : Math.floor(atMs / 1000) * 1000;
}

/** Formats an instant by RFC 3339 in UTC, with milliseconds. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
