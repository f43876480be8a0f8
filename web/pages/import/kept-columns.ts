import { detailOf, type FileKind, importedNames } from '../../csv/columns.js';
import type { Meaning } from '../../csv/read-file.js';

const columnsKey = 'whereabouts-import-columns';
/** As many files with different columns, and as many rows of names, are remembered. */
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
  const found = readColumns().find(({ file: name }) => name === nameOf(file));
  const known = new Set(importedNames(file.kind));
  const isKnown = (column: string | null) =>
    column === null || known.has(column) || (file.kind === 'assets' && detailOf(column) !== undefined);
  return found && new Map(found.columns.filter(([, column]) => isKnown(column)));
}

/** Remembers the choices for files with these columns. */
export function keepColumns(file: File, columns: ReadonlyMap<number, string | null>): void {
  const name = nameOf(file);
  write(columnsKey, [{ file: name, columns: [...columns] }, ...readColumns().filter((other) => other.file !== name)]);
}

function readColumns(): readonly Kept[] {
  return (read(columnsKey) as readonly Kept[]).filter(({ columns }) => Array.isArray(columns));
}

const headersKey = 'whereabouts-import-headers';

/** The texts of rows that a person has chosen for the names of the columns, with whose they are, the latest first. */
type KeptHeader = { owner: string; kind: FileKind; text: string };

type StartOfFile = { owner: string; kind: FileKind; firstRows: readonly { line: number; text: string }[] };

/** Returns the line of a file whose text was chosen for the names of the columns in an earlier one; undefined without any. */
export function keptHeaderLine({ owner, kind, firstRows }: StartOfFile): number | undefined {
  for (const kept of readHeaders()) {
    const row = kept.owner === owner && kept.kind === kind && firstRows.find(({ text }) => text === kept.text);
    if (row) return row.line;
  }
  return undefined;
}

/** Remembers the text of a row for the names of the columns. */
export function keepHeader(chosen: KeptHeader): void {
  const isOther = ({ owner, kind, text }: KeptHeader) =>
    owner !== chosen.owner || kind !== chosen.kind || text !== chosen.text;
  write(headersKey, [chosen, ...readHeaders().filter(isOther)]);
}

function readHeaders(): readonly KeptHeader[] {
  return (read(headersKey) as readonly KeptHeader[]).filter(({ text }) => typeof text === 'string');
}

function read(key: string): readonly unknown[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

function write(key: string, items: readonly unknown[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(items.slice(0, keptMax)));
  } catch {
    // A full or forbidden storage: the next file is guessed anew.
  }
}
