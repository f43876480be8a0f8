import type { Decider, SiteSetup, TagRead } from '../../../bench/locating/decider.js';
import type { WorldSpec } from '../../../bench/locating/world-spec.js';
import { worlds } from '../../../bench/locating/worlds.js';

export const startMs = Date.UTC(2026, 0, 5, 6);

/** Two zones with an antenna each, and a portal. */
export const site: SiteSetup = {
  name: 'test',
  locations: 3,
  assets: 2,
  readers: 1,
  antennas: [
    { reader: 1, port: 1, location: 1, kind: 'zone' },
    { reader: 1, port: 2, location: 2, kind: 'zone' },
    { reader: 1, port: 3, location: 3, kind: 'portal' },
  ],
};

/** A read of asset 0, so many seconds after the start. */
export function readAt(second: number, antenna: number, fields: Partial<TagRead> = {}): TagRead {
  const receivedMs = startMs + second * 1000;
  const port = antenna + 1;
  const read = { index: 0, asset: 0, tag: 0, reader: 1, port, antenna, rssiDbm: -57, stampMs: receivedMs, receivedMs };
  return { ...read, ...fields };
}

/** Locations of asset 0 after each of the reads. */
export function locationsAfter(decider: Decider, reads: readonly TagRead[]): number[] {
  return reads.map((read) => {
    decider.onRead(read);
    return decider.locationOf(read.asset);
  });
}

export function worldNamed(name: string): WorldSpec {
  const spec = worlds.find((world) => world.name === name);
  if (!spec) throw new RangeError(`no world is named ${name}`);
  return spec;
}
