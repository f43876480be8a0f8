import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Fixture, prepareFixture, reportProgress, type Undo } from '../fixture.js';
import { type IngestBench, type Measured, measureLoad } from './measure.js';

const assets = 1000;
const locations = 1000;
const readers = 20;
const readsPerMessage = 10;
const periods = 6;

/** The rates of the first and of the last period. */
export type NewDatabaseLoad = { readonly first: Measured; readonly last: Measured };

type Prepare = (
  fixture: Fixture,
  sizes: { assets: number; locations: number; readers: number; isNew: boolean },
  undo: Undo,
) => Promise<IngestBench>;

/**
 * Measures moves on a new database without statistics: its service begins with the first read, and the history of each
 * asset grows.
 */
export async function measureNewDatabase(
  { folder, periodMs, prepare }: { folder: string; periodMs: number; prepare: Prepare },
  undo: Undo,
): Promise<NewDatabaseLoad> {
  const dataDir = path.join(folder, 'new');
  mkdirSync(dataDir);
  const fixture = await prepareFixture(dataDir, undo);
  const bench = await prepare(fixture, { assets, locations, readers, isNew: true }, undo);
  await fixture.client.query("UPDATE readers SET location_rule = 'newest'");
  const measured: Measured[] = [];
  for (let period = 0; period < periods; period += 1) {
    measured.push(
      await measureLoad(bench, { readers, qos: 1, readsPerMessage, scene: 'overlapping', moving: true }, periodMs),
    );
    reportProgress(`  ${measured.at(-1)?.rate.toFixed(0)} reads/s`);
  }
  return { first: measured[0] as Measured, last: measured.at(-1) as Measured };
}
