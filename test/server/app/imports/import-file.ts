import { vi } from 'vitest';
import type { AppCaller } from '../../../support/scan-world.js';

export type ImportState = Awaited<ReturnType<AppCaller['imports']['get']>>;

type File = { kind?: 'assets' | 'locations'; columns: string[]; rows: string[][] };

/** Sends a file as the app does, in chunks; its first row is on line 2. */
export async function sendFile(caller: AppCaller, { kind = 'assets', columns, rows }: File): Promise<string> {
  const { import: created } = await caller.imports.create({
    kind,
    file_name: 'things.csv',
    columns,
    row_count: rows.length,
  });
  const size = 5000;
  for (let at = 0; at < rows.length; at += size) {
    const chunk = rows.slice(at, at + size).map((cells, index) => ({ line: at + index + 2, cells }));
    await caller.imports.addRows({ import_id: created.id, chunk: at / size, rows: chunk });
  }
  return created.id;
}

/** The import once nobody works on it. */
export async function settled(caller: AppCaller, importId: string): Promise<ImportState> {
  return vi.waitFor(
    async () => {
      const state = await caller.imports.get({ import_id: importId });
      if (state.status === 'checking' || state.status === 'applying') throw new Error(`still ${state.status}`);
      return state;
    },
    { timeout: 150_000, interval: 20 },
  );
}

export async function checkFile(caller: AppCaller, file: File): Promise<ImportState> {
  const id = await sendFile(caller, file);
  await caller.imports.check({ import_id: id });
  return settled(caller, id);
}

export async function applyChecked(caller: AppCaller, { id }: Pick<ImportState, 'id'>): Promise<ImportState> {
  await caller.imports.applyFile({ import_id: id });
  return settled(caller, id);
}

/** Checks and applies a file that has nothing wrong with it. */
export async function importFile(caller: AppCaller, file: File): Promise<ImportState> {
  return applyChecked(caller, await checkFile(caller, file));
}

/** What is wrong with a file, as `line column: message`. */
export async function problemsOf(caller: AppCaller, { id }: Pick<ImportState, 'id'>): Promise<string[]> {
  const { data } = await caller.imports.problems({ import_id: id, limit: 1000 });
  return data.map(({ line, column, message }) => `${line} ${column}: ${message}`);
}
