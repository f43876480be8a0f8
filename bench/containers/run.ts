import type { Undo } from '../fixture.js';
import { prepareFixture, reportProgress } from '../fixture.js';
import { openDatabase } from '../../server/kernel/database/client.js';
import { readRecordedRuns } from '../locating/recordings.js';
import { markdownTable } from '../markdown-table.js';
import { playCart } from './cart.js';
import { measureMoves } from './moves.js';
import type { ContainersOptions } from './options.js';

/** Measures moves of containers with more and more contents, and plays recorded reads as a cart with boxes. */
export async function runContainersBench({ rounds, recordings }: ContainersOptions, undo: Undo): Promise<void> {
  const { database, client } = await prepareFixture(undefined, undo);
  const { db, close } = openDatabase({ url: database.url, poolSize: 4, purpose: 'ingestion' });
  undo.push(close);
  if (recordings === undefined) {
    const rows = await measureMoves({ client, db }, rounds);
    console.log(markdownTable(['contents', 'median ms', 'slowest ms'], rows));
    return;
  }
  const rows: string[][] = [];
  for (const run of readRecordedRuns(recordings)) {
    reportProgress(`Playing ${run.name} …`);
    const result = await playCart({ client, db }, run);
    if (result) rows.push([run.name, ...result]);
  }
  const columns = ['recording', 'moves', 'of a box', 'with the cart %', 'ended wrongly', 'end, s', 'known after, s'];
  console.log(markdownTable(columns, rows));
}
