import { detailOf, type FileKind, importedNames } from '../../csv/columns.js';
import type { Meaning } from '../../csv/read-file.js';

const storageKey = 'whereabouts-import-columns';
/** As many files with different columns are remembered. */
const keptMax = 20;

/** What a person has chosen for columns of a file, which the next file with the same columns begins with. */
type Kept = { file: string; columns: [index: number, column: string | null][] };

type File = { owner: string; kind: FileKind; meanings: readonly Meaning[] };

/** Identifies files with the same columns, of a person in one organization. */
function nameOf({ owner, kind, meanings }: File): string {
  return JSON.stringify([owner, kind, meanings.map(({ index, header }) => [index, header])]);
}

/** Returns the choices for a file with these columns that this browser remembers; undefined without any. */
export function keptColumns(file: File): ReadonlyMap<number, string | null> | undefined {
  const found = readAll().find(({ file: name }) => name === nameOf(file));
  const known = new Set(importedNames(file.kind));
  const isKnown = (column: string | null) =>
    column === null || known.has(column) || (file.kind === 'assets' && detailOf(column) !== undefined);
  return found && new Map(found.columns.filter(([, column]) => isKnown(column)));
}

/** Remembers the choices for files with these columns. */
export function keepColumns(file: File, columns: ReadonlyMap<number, string | null>): void {
  const name = nameOf(file);
  const kept: Kept[] = [{ file: name, columns: [...columns] }, ...readAll().filter((other) => other.file !== name)];
  try {
    localStorage.setItem(storageKey, JSON.stringify(kept.slice(0, keptMax)));
  } catch {
    // A full or forbidden storage: the next file is guessed anew.
  }
}

function readAll(): readonly Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(kept) ? (kept as Kept[]).filter(({ columns }) => Array.isArray(columns)) : [];
  } catch {
    return [];
  }
}
