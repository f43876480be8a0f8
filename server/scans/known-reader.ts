import type { AntennaSettings, LocationId } from '../locating/types.js';

/** The settings of a reader and its antennas, as they were stored when they were read last. */
export type KnownReader = {
  orgId: number;
  version: string;
  /** For ports without settings of their own. */
  defaults: AntennaSettings;
  antennas: ReadonlyMap<number, AntennaSettings>;
};

/** Returns a reader as it is after a location was deleted: antennas at the location use the reader's, or none. */
export function withoutLocation(reader: KnownReader, deleted: LocationId): KnownReader {
  const { location } = reader.defaults;
  const defaults = location === deleted ? { ...reader.defaults, location: 0 } : reader.defaults;
  const isAtDeleted = (antenna: AntennaSettings) => antenna.location === deleted;
  const antennas = [...reader.antennas.values()].some(isAtDeleted)
    ? new Map(
        [...reader.antennas].map(([port, antenna]) => [
          port,
          isAtDeleted(antenna) ? { ...antenna, location: defaults.location } : antenna,
        ]),
      )
    : reader.antennas;
  return { ...reader, defaults, antennas };
}
