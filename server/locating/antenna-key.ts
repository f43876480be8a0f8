import type { AntennaKey } from './types.js';

/** Ports are 16-bit numbers. */
const portsPerReader = 65_536;

/** Returns the key of a reader's antenna. */
export function antennaKey(reader: number, port: number): AntennaKey {
  return reader * portsPerReader + port;
}

/** Returns the reader that an antenna belongs to. */
export function readerOf(antenna: AntennaKey): number {
  return Math.floor(antenna / portsPerReader);
}

/** Returns the port of an antenna at its reader. */
export function portOf(antenna: AntennaKey): number {
  return antenna % portsPerReader;
}
