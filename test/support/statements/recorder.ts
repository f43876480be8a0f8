import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { statementTexts } from '../../../server/kernel/database/statement.js';
import { addShape, type Shape, shape, shapeOfJson } from './shape.js';

/** A line of the service that runs a statement, such as `server/things/assets/queries.ts` and 17. */
export type Caller = { file: string; line: number };

/** A column of an answer, as the server described it, and what else is known of its values. */
export type RecordedColumn = {
  name: string;
  /** The id of its type in `pg_type`. */
  typeId: number;
  isNull: boolean;
  /** Of JSON: the shape of the values. */
  json?: Shape;
};

/** A statement that was run. */
export type RecordedStatement = {
  text: string;
  /** Of the prepared statement; empty where it has none. */
  name: string;
  /** The lines of the service that ran it. */
  callers: Caller[];
  /** The columns of its answer; empty where it has none. */
  columns: RecordedColumn[];
};

/** The shape of a JSON column is taken from this many rows of a statement and process. */
const jsonRowsMax = 200;

const jsonTypeIds = new Set([114, 3802]);

/** In answers that are longer, only the first rows are looked through for nulls. */
const rowsMax = 5000;

/** Enough to see the function that runs the statement below this module, the channel, the driver and the modules of the database. */
const framesMax = 12;

/** Code that passes on statements of other functions. */
const passedOn =
  /^node:|\/node_modules\/|\/server\/kernel\/database\/(?:client|transaction)\.ts$|\/statements\/recorder\.ts$/;

/** What begins and ends transactions. */
const control = /^(?:BEGIN|COMMIT|ROLLBACK)\b/;

/** A text, and the columns of each prepared statement with it. */
type Entry = { callers: Map<string, Caller>; answers: Map<string, Answer>; isChanged: boolean; isPublished: boolean };
type Answer = { columns: RecordedColumn[]; rows: number };

/** Of all test files of a process: the modules of each may be loaded anew. */
type Recorder = { entries: Map<string, Entry>; root: string };

const key = Symbol.for('whereabouts.recorded-statements');
const processWide = globalThis as { [key]?: Recorder };

type Described = {
  text?: string;
  name?: string;
  handleRowDescription(message: Description): void;
  handleDataRow(message: Row): void;
};
type Description = { fields: { name: string; dataTypeID: number }[] };
type Row = { fields: (string | Buffer | null)[] };

/**
 * Records every statement that the service runs in this process from now on, with the line that runs it and what it answers.
 * Calling it again changes nothing.
 */
export function recordStatements(root: string): void {
  if (processWide[key]) return;
  const recorder: Recorder = { entries: new Map(), root };
  processWide[key] = recorder;
  // The service's own client runs a statement after its caller has waited for a connection, so it publishes the text before.
  subscribe(statementTexts.name, (message) => {
    addCaller(recorder, message as string);
    entryOf(recorder, message as string).isPublished = true;
  });
  const { query: send } = pg.Client.prototype as { query: (...given: unknown[]) => unknown };
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...given: unknown[]): unknown {
      const [query] = given as [string | { text?: unknown } | undefined];
      const text = typeof query === 'string' ? query : query?.text;
      const isOwn = typeof text === 'string' && recorder.entries.get(text)?.isPublished;
      if (typeof text === 'string' && !isOwn && !control.test(text)) addCaller(recorder, text);
      return send.apply(this, given);
    },
  });
  const query = pg.Query.prototype as unknown as Described;
  const { handleRowDescription, handleDataRow } = query;
  query.handleRowDescription = function describe(message) {
    if (this.text !== undefined) addAnswer(entryOf(recorder, this.text), this.name ?? '', message);
    handleRowDescription.call(this, message);
  };
  query.handleDataRow = function read(message) {
    const entry = this.text === undefined ? undefined : recorder.entries.get(this.text);
    if (entry) addRow(entry, this.name ?? '', message);
    handleDataRow.call(this, message);
  };
}

function entryOf({ entries }: Recorder, text: string): Entry {
  const entry = entries.get(text) ?? { callers: new Map(), answers: new Map(), isChanged: false, isPublished: false };
  entries.set(text, entry);
  return entry;
}

function addCaller(recorder: Recorder, text: string): void {
  const call = callOutside(passedOn);
  if (!call) return;
  const entry = entryOf(recorder, text);
  if (entry.callers.has(call.at)) return;
  const { file, line } = call.positionOf();
  entry.callers.set(call.at, { file: path.relative(recorder.root, file), line });
  entry.isChanged = true;
}

function addAnswer(entry: Entry, name: string, { fields }: Description): void {
  if (entry.answers.has(name)) return;
  const columns = fields.map((field) => ({ name: field.name, typeId: field.dataTypeID, isNull: false }));
  entry.answers.set(name, { columns, rows: 0 });
  entry.isChanged = true;
}

function addRow(entry: Entry, name: string, { fields }: Row): void {
  const answer = entry.answers.get(name);
  if (!answer || answer.rows >= rowsMax) return;
  answer.rows += 1;
  answer.columns.forEach((column, index) => {
    const value = fields[index];
    if (value === null || value === undefined) {
      if (!column.isNull) entry.isChanged = column.isNull = true;
    } else if (answer.rows <= jsonRowsMax && jsonTypeIds.has(column.typeId)) {
      column.json ??= shape();
      addShape(column.json, shapeOfJson(JSON.parse(value.toString())));
      entry.isChanged = true;
    }
  });
}

/** Returns the innermost running call in another file. Its position in the source takes a millisecond to find. */
function callOutside(files: RegExp): { at: string; positionOf: () => Caller } | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const captured: { stack?: unknown } = {};
  Error.stackTraceLimit = framesMax;
  Error.prepareStackTrace = (_error, calls) => calls;
  Error.captureStackTrace(captured, callOutside);
  const calls = captured.stack as NodeJS.CallSite[];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const call = calls.find((each) => !files.test(each.getFileName() ?? 'node:'));
  if (!call) return undefined;
  return {
    at: `${call.getFileName()}:${call.getLineNumber()}:${call.getColumnNumber()}`,
    positionOf() {
      const mapped = String(prepareStackTrace?.(new Error('sent'), [call]));
      const [, file = '', line] = /(\/[^():]*):(\d+):\d+\)?$/.exec(mapped) ?? [];
      return { file, line: Number(line) };
    },
  };
}

/** Returns the folder in which the processes of a run write what they have recorded. */
export function statementsFolder(runFolder: string): string {
  return path.join(runFolder, 'statements');
}

/** Adds what has been recorded since the last time to the file of this process. */
export function saveStatements(folder: string): void {
  const lines: string[] = [];
  for (const [text, entry] of processWide[key]?.entries ?? []) {
    if (!entry.isChanged) continue;
    entry.isChanged = false;
    const callers = [...entry.callers.values()].filter(({ file }) => !/^(?:test|bench|\.\.)\b/.test(file));
    if (callers.length === 0) continue;
    const answers = entry.answers.size === 0 ? [['', { columns: [] }] as const] : [...entry.answers];
    for (const [name, { columns }] of answers) {
      lines.push(`${JSON.stringify({ text, name, callers, columns }, writeShape)}\n`);
    }
  }
  if (lines.length > 0) appendFileSync(path.join(folder, `${process.pid}.jsonl`), lines.join(''));
}

type Written = { $set?: unknown[]; $map?: [string, Shape][] } | null;

function writeShape(_name: string, value: unknown): unknown {
  if (value instanceof Set) return { $set: [...value] } satisfies Written;
  return value instanceof Map ? ({ $map: [...value] as [string, Shape][] } satisfies Written) : value;
}

/** Reads what the processes of a run have recorded; the last line of a statement has all of what its process knows. */
export function readStatements(folder: string): RecordedStatement[] {
  return readdirSync(folder).flatMap((name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean).map(parseStatement);
    return [...new Map(lines.map((statement) => [`${statement.name} ${statement.text}`, statement])).values()];
  });
}

function parseStatement(line: string): RecordedStatement {
  return JSON.parse(line, (_name, value: Written) => {
    if (value?.$set) return new Set(value.$set);
    return value?.$map ? new Map(value.$map) : value;
  }) as RecordedStatement;
}
