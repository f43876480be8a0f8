import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { statementTexts } from '../../../server/kernel/database/statement.js';

/** A text that a statement had, and the line of the service that ran it. */
export type SentText = {
  text: string;
  /** From the root of the project, such as `server/things/assets/queries.ts`. */
  file: string;
  line: number;
  example?: Example;
};

/** A call that shows the SQL of a function of this name, which has very many variants. */
export type Example = { name: string; of: string };

/** Of all test files of a process: the modules of each may be loaded anew. */
type Recorder = { seen: Set<string>; unsaved: SentText[]; examples: AsyncLocalStorage<Example> };

const key = Symbol.for('whereabouts.sent-texts');
const processWide = globalThis as { [key]?: Recorder };

/** Enough to see the function that runs the statement below this module, the channel and the modules of the database. */
const framesMax = 9;

const passedOn = /^node:|\/server\/kernel\/database\/(?:client|transaction)\.ts$|\/sql-record\/recorder\.ts$/;

/** Records the text of each statement that the service runs in this process from now on. Calling it again changes nothing. */
export function recordTexts(root: string): void {
  if (processWide[key]) return;
  const recorder: Recorder = { seen: new Set(), unsaved: [], examples: new AsyncLocalStorage() };
  processWide[key] = recorder;
  subscribe(statementTexts.name, (message) => {
    const text = message as string;
    const example = recorder.examples.getStore();
    const { at, positionOf } = callerOutside(passedOn);
    const what = `${at} ${example?.name ?? ''} ${text}`;
    if (recorder.seen.has(what)) return;
    recorder.seen.add(what);
    const { file, line } = positionOf();
    const within = path.relative(root, file);
    if (!within.startsWith('test')) recorder.unsaved.push({ text, file: within, line, ...(example && { example }) });
  });
}

/** Runs a call whose statements are recorded as an example. */
export function runExample<Result>(example: Example, call: () => Promise<Result>): Promise<Result> {
  return processWide[key] ? processWide[key].examples.run(example, call) : call();
}

/** Returns the folder in which the processes of a run write what they have recorded. */
export function sentTextsFolder(runFolder: string): string {
  return path.join(runFolder, 'sent-texts');
}

/** Adds what has been recorded since the last time to the file of this process. */
export function saveTexts(folder: string): void {
  const lines = processWide[key]?.unsaved.splice(0).map((sent) => `${JSON.stringify(sent)}\n`) ?? [];
  if (lines.length > 0) appendFileSync(path.join(folder, `${process.pid}.jsonl`), lines.join(''));
}

/** Returns the innermost call in another file, in what runs. Its place in the source takes a millisecond to find. */
function callerOutside(files: RegExp): { at: string; positionOf: () => { file: string; line: number } } {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const captured: { stack?: unknown } = {};
  Error.stackTraceLimit = framesMax;
  Error.prepareStackTrace = (_error, calls) => calls;
  Error.captureStackTrace(captured, callerOutside);
  const calls = captured.stack as NodeJS.CallSite[];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const call = calls.find((call) => !files.test(call.getFileName() ?? 'node:'));
  if (!call) throw new Error('a statement is run by no function');
  return {
    at: `${call.getFileName()}:${call.getLineNumber()}:${call.getColumnNumber()}`,
    positionOf() {
      const mapped = String(prepareStackTrace?.(new Error('sent'), [call]));
      const [, file = '', line] = /(\/[^():]*):(\d+):\d+\)?$/.exec(mapped) ?? [];
      return { file, line: Number(line) };
    },
  };
}
