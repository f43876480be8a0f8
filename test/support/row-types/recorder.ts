import { appendFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { addShape, type Shape, shape, shapeOfJson } from './shape.js';

/** A column of an answer, as the server described it, and what else is known of its values. */
export type RecordedColumn = {
  name: string;
  /** The id of its type in `pg_type`. */
  typeId: number;
  isNull: boolean;
  /** Of JSON: the shape of the values. */
  json?: Shape;
};

/** A statement that was run, with the columns of its answer. */
export type RecordedStatement = {
  text: string;
  /** Of the prepared statement; empty where it has none. */
  name: string;
  columns: RecordedColumn[];
};

/** The shape of a JSON column is taken from this many rows of a statement and process. */
const jsonRowsMax = 200;

const jsonTypeIds = new Set([114, 3802]);

/** In answers that are as long, only the first rows are looked through for nulls. */
const rowsMax = 5000;

type Entry = RecordedStatement & { rows: number; isChanged: boolean };

type Described = {
  text?: string;
  name?: string;
  handleRowDescription(message: Description): void;
  handleDataRow(message: Row): void;
};
type Description = { fields: { name: string; dataTypeID: number }[] };
type Row = { fields: (string | Buffer | null)[] };

/** Of all test files of a process: the modules of each may be loaded anew. */
type Recorder = { entries: Map<string, Entry> };

const key = Symbol.for('whereabouts.recorded-statements');
const processWide = globalThis as { [key]?: Recorder };

/**
 * Records every statement that node-postgres runs in this process from now on, from every source: Prisma, requests, or
 * ingestion. Calling it again changes nothing.
 */
export function recordStatements(): void {
  if (processWide[key]) return;
  const entries = new Map<string, Entry>();
  processWide[key] = { entries };
  const query = pg.Query.prototype as unknown as Described;
  const { handleRowDescription, handleDataRow } = query;
  query.handleRowDescription = function describe(message) {
    const key = keyOf(this);
    if (this.text !== undefined && !entries.has(key)) {
      const columns = message.fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID, isNull: false }));
      entries.set(key, { text: this.text, name: this.name ?? '', columns, rows: 0, isChanged: true });
    }
    handleRowDescription.call(this, message);
  };
  query.handleDataRow = function read(message) {
    const entry = entries.get(keyOf(this));
    if (entry && entry.rows < rowsMax) recordRow(entry, message);
    handleDataRow.call(this, message);
  };
}

function keyOf({ name = '', text = '' }: Described): string {
  return `${name} ${text}`;
}

function recordRow(entry: Entry, { fields }: Row): void {
  entry.rows += 1;
  entry.columns.forEach((column, index) => {
    const value = fields[index];
    if (value === null || value === undefined) {
      if (!column.isNull) entry.isChanged = column.isNull = true;
    } else if (entry.rows <= jsonRowsMax && jsonTypeIds.has(column.typeId)) {
      column.json ??= shape();
      addShape(column.json, shapeOfJson(JSON.parse(value.toString())));
      entry.isChanged = true;
    }
  });
}

/** Adds what has been recorded since the last time to the file of this process. */
export function saveStatements(folder: string): void {
  const changed = [...(processWide[key]?.entries.values() ?? [])].filter(({ isChanged }) => isChanged);
  if (changed.length === 0) return;
  const lines = changed.map((entry) => {
    entry.isChanged = false;
    return `${JSON.stringify({ text: entry.text, name: entry.name, columns: entry.columns }, writeShape)}\n`;
  });
  appendFileSync(path.join(folder, `${process.pid}.jsonl`), lines.join(''));
}

type Written = { $set?: unknown[]; $map?: [string, Shape][] } | null;

function writeShape(_name: string, value: unknown): unknown {
  if (value instanceof Set) return { $set: [...value] } satisfies Written;
  return value instanceof Map ? ({ $map: [...value] as [string, Shape][] } satisfies Written) : value;
}

/** Reads a line that `saveStatements` wrote. */
export function parseStatement(line: string): RecordedStatement {
  return JSON.parse(line, (_name, value: Written) => {
    if (value?.$set) return new Set(value.$set);
    return value?.$map ? new Map(value.$map) : value;
  }) as RecordedStatement;
}
