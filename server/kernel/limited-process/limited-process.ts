import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs } from '../backoff.js';
import type { Log } from '../log.js';
import { projectRoot } from '../project-root.js';
import type { Reply } from './serve.js';

// docs/decisions/0048-work-in-processes-with-limits.md explains why these are processes and not threads.

const startPauses = { minMs: 100, maxMs: 10_000 };
/** `/proc` counts processor time in ticks of this length. */
const tickMs = 10;

export type LimitedProcessOptions<Work> = {
  /** The program, as the path of its compiled file below the folder of the service. It calls `serveWork`. */
  file: string;
  nodeOptions: readonly string[];
  /** Returns the processor time that a piece of work may take. */
  processorMsFor(work: Work): number;
  /** The time that it may take if its processor time is not known, or the process hardly gets any. */
  elapsedMsMax: number;
  log: Log;
};

/**
 * What became of a piece of work: its result or error, or why it was not done to its end. `time`: its time was over. `ended`:
 * the process has ended by itself, which it does at its memory limit.
 */
export type Outcome<Result> = { result: Result } | { error: string } | 'time' | 'ended';

export type LimitedProcess<Work, Result> = {
  /**
   * Does a piece of work. Only one may be under way, so that no other ends with it.
   *
   * @throws ProcessStoppedError
   */
  run(work: Work): Promise<Outcome<Result>>;
  /** Ends the process, and the work that is under way. */
  stop(): Promise<void>;
};

type Program<Result> = {
  child: ChildProcess;
  /** Whether it has started: false if it has ended instead. */
  started: Promise<boolean>;
  ended: Promise<void>;
  /** The processor time that it had used when it replied last. */
  processorMs: number;
  /** Called with the outcome of the work. */
  settle(outcome: Outcome<Result>): void;
};

/** Thrown for work that is not done because the service stops. */
export class ProcessStoppedError extends Error {
  constructor() {
    super('the service is stopping');
    this.name = 'ProcessStoppedError';
  }
}

/**
 * Creates a process that does work which may take any time and memory. It is started for the first piece of work and kept. It
 * is killed when a piece takes too much, and started again at once.
 */
export function createLimitedProcess<Work extends object, Result>(
  options: LimitedProcessOptions<Work>,
): LimitedProcess<Work, Result> {
  const { log, file } = options;
  const stopping = new AbortController();
  let program: Program<Result> | undefined;

  /** Starts the program unless it runs. Tries again until it does, because work that waits for it must not be lost. */
  async function ready(): Promise<Program<Result>> {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      const given = program ?? launch<Result>(options);
      program = given;
      if (await given.started) return given;
      if (program === given) program = undefined;
      if (stopping.signal.aborted) break;
      log.error({ file, attempt }, 'a process of the service does not start');
      await delay(backoffMs(attempt, startPauses), undefined, { signal: stopping.signal }).catch(() => {});
    }
    throw new ProcessStoppedError();
  }

  /** Returns a program that takes work: one that has ended since its last work is replaced. */
  async function available(): Promise<Program<Result>> {
    const given = await ready();
    if (given.child.connected) return given;
    if (program === given) program = undefined;
    return ready();
  }

  return {
    async run(work) {
      const given = await available();
      const { elapsedMsMax } = options;
      const outcome = await ask({ processorMsMax: options.processorMsFor(work), elapsedMsMax, program: given }, work);
      if (typeof outcome !== 'string') return outcome;
      given.child.kill('SIGKILL');
      if (program === given) program = undefined;
      if (stopping.signal.aborted) throw new ProcessStoppedError();
      // The work that ended the process waits for the next one, so that this time counts as its own.
      await ready();
      return outcome;
    },
    async stop() {
      stopping.abort();
      program?.child.kill('SIGKILL');
      await program?.ended;
    },
  };
}

function launch<Result>({
  file,
  nodeOptions,
}: Pick<LimitedProcessOptions<never>, 'file' | 'nodeOptions'>): Program<Result> {
  // Always the compiled program, as tests run from the sources.
  const child = fork(path.join(projectRoot(), 'dist', file), {
    serialization: 'advanced',
    execArgv: [...nodeOptions],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const started = new Promise<boolean>((resolve) => {
    child.once('message', () => resolve(true));
    void ended.then(() => resolve(false));
  });
  const program: Program<Result> = { child, started, ended, processorMs: 0, settle: () => {} };
  child.on('message', ({ processorMs, outcome }: Reply<Result>) => {
    program.processorMs = processorMs;
    if (outcome) program.settle(outcome);
  });
  void ended.then(() => program.settle('ended'));
  return program;
}

type AskOptions<Result> = { processorMsMax: number; elapsedMsMax: number; program: Program<Result> };

/** Sends work to the program, and resolves with its outcome. A program that waits for a processor has more time. */
function ask<Result>(
  { program, processorMsMax, elapsedMsMax }: AskOptions<Result>,
  work: object,
): Promise<Outcome<Result>> {
  return new Promise((resolve) => {
    const { child, processorMs: before } = program;
    const untilMs = performance.now() + elapsedMsMax;
    let timer = setTimeout(check, processorMsMax);
    program.settle = (outcome) => {
      clearTimeout(timer);
      program.settle = () => {};
      resolve(outcome);
    };
    child.send(work, () => {});

    function check(): void {
      const leftMs = processorMsMax - (processorMsOf(child.pid) - before);
      // A reply may have arrived while this process was busy.
      if (leftMs <= 0 || performance.now() >= untilMs) setImmediate(() => program.settle('time'));
      else timer = setTimeout(check, Math.max(leftMs, tickMs));
    }
  });
}

/** Returns the processor time that a process has used; without `/proc`, more than any work may take. */
function processorMsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
