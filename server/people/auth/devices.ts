import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthSecret } from './secrets.js';

/** A browser, and the people who have signed in with it, latest first. */
export type Device = { id: string; people: readonly string[] };

export type Devices = {
  /** Returns the device of a cookie; undefined for any cookie that this service did not sign. */
  read(cookie: string | undefined): Device | undefined;
  /** Returns a new device without people. */
  create(): Device;
  /** Returns the cookie of a device after the person with this email address signed in. Remembers eight people. */
  cookieFor(device: Device, email: string): string;
  /** Returns whether the person has signed in with the device before. */
  knows(device: Device, email: string): boolean;
};

/** A handheld that a shift shares remembers the people who signed in last. */
const peopleMax = 8;
const idShape = /^[\w-]{22}$/;
const personShape = /^[\w-]{12}$/;

/**
 * Creates and verifies the cookie of a device: its random id, a keyed hash of each person's email address, and a
 * signature. The cookie is not a credential. It only counts failed sign-ins of known devices separately.
 *
 * @param secrets the first one signs, all of them verify
 */
export function createDevices(secrets: readonly [AuthSecret, ...AuthSecret[]]): Devices {
  const keys = secrets.map(({ bytes }) => createHmac('sha256', bytes).update('device cookie').digest());
  const [signing] = keys;

  function digest(key: Buffer | undefined, text: string): string {
    return createHmac('sha256', key ?? '')
      .update(text)
      .digest('base64url');
  }

  function personDigests(email: string): string[] {
    return keys.map((key) => digest(key, `person ${email}`).slice(0, 12));
  }

  return {
    read(cookie) {
      const end = cookie?.lastIndexOf('.') ?? -1;
      if (cookie === undefined || end < 0 || cookie.length > 512) return undefined;
      const text = cookie.slice(0, end);
      if (!keys.some((key) => isSame(digest(key, text), cookie.slice(end + 1)))) return undefined;
      const [id = '', ...people] = text.split('.');
      return idShape.test(id) && people.every((person) => personShape.test(person)) ? { id, people } : undefined;
    },
    create: () => ({ id: randomBytes(16).toString('base64url'), people: [] }),
    cookieFor(device, email) {
      const digests = personDigests(email);
      const others = device.people.filter((person) => !digests.includes(person));
      const text = [device.id, ...[...digests.slice(0, 1), ...others].slice(0, peopleMax)].join('.');
      return `${text}.${digest(signing, text)}`;
    },
    knows: (device, email) => personDigests(email).some((person) => device.people.includes(person)),
  };
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
