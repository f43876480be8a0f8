import type { TagType } from '../things.js';

/** What a device has made of one answer of a tag. */
export type Sighting = {
  /** An EPC as upper-case hexadecimal digits, or the twelve digits of a MAC address. */
  value: string;
  antenna: number;
  /** Whole. */
  rssiDbm: number;
  /** By the device's own clock, epoch milliseconds. */
  atMs: number;
};

/** A device as it stands in the warehouse. */
export type Device = {
  /** Letters, digits and dashes. */
  name: string;
  /** Twelve upper-case hexadecimal digits. */
  mac: string;
  /** The user name of its login; its own topics begin with it. */
  username: string;
  /** Whether times that come in whole seconds have fractions here, since a second of the day passes sooner than one of life. */
  hasFineTimes: boolean;
};

export type Message = { topic: string; payload: string; qos: 0 | 1 | 2; retain?: boolean };

/** What a device says besides: how many messages it has sent, and what its clock shows. */
export type Moment = { sequence: number; atMs: number };

/** How the devices of one make speak MQTT. */
export type Vendor = {
  make: string;
  /** The format that the reader is registered with. */
  format: string;
  /** Further settings of the registration. */
  settings?: Readonly<Record<string, unknown>>;
  tagType: TagType;
  /** Whether its messages say when a tag was read in a way that can be understood. */
  tellsTime: boolean;
  /** The topic of its reads; may hold wildcards. One below its user name is the one that it has unless told otherwise. */
  publishTopic(device: Device): string;
  connection(device: Device): {
    clientId: string;
    clean: boolean;
    keepaliveSeconds: number;
    will?: Message;
    /** What it says when it is there. */
    birth?: Message;
  };
  /** How long it gathers what it reads before it reports, in seconds of the day. */
  reportSeconds: number;
  reports(device: Device, sightings: readonly Sighting[], moment: Moment): Message[];
  /** A sign of life, at QoS 1 or 2 so that it is acknowledged. */
  heartbeat(device: Device, moment: Moment): Message;
};

/** Cuts what is too long for one message of a device. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** `AA:BB:CC:DD:EE:FF` of twelve digits. */
export function withColons(mac: string): string {
  return mac.replace(/(..)(?!$)/g, '$1:');
}

/** An instant as a device has it whose times are whole seconds. */
export function secondsOf({ hasFineTimes }: Device, atMs: number): number {
  return hasFineTimes ? atMs : Math.floor(atMs / 1000) * 1000;
}

/** The date and time of RFC 3339 in UTC, with milliseconds. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
