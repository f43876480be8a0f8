import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { LocatingOptions } from './options.js';
import { type Job, type JobResult, jobsOf, outcomesOf, runJob, type WorldOutcome } from './run-all.js';

/** The argument of a process that runs jobs for another process. */
export const workerArgument = '--run-jobs';

/** Leaves the processors of a shared machine to others. */
const processesMax = 2;

/**
 * Does the same as `runAll` in two processes. They are not threads, because Node.js 20 measures only the processor time
 * of a process.
 *
 * @param file the program that calls `serveJobs` if it is started with `workerArgument`
 * @throws RangeError for a name of a world or decider that does not exist; an error of a job ends all jobs
 */
export async function runInProcesses(
  file: string,
  options: LocatingOptions,
  progress: (line: string) => void,
): Promise<WorldOutcome[]> {
  const jobs = jobsOf(options);
  const results: JobResult[] = [];
  const started = new Set<string>();
  let next = 0;

  async function work(): Promise<void> {
    const child = fork(file, [workerArgument], { serialization: 'advanced' });
    const ended = once(child, 'exit').then((exit: unknown[]): never => {
      throw new Error(`a process that runs worlds has ended with exit code ${String(exit[0])}`);
    });
    // After the last job nobody awaits it.
    ended.catch(() => {});
    try {
      for (let index = next++; index < jobs.length; index = next++) {
        const job = jobs[index] as Job;
        if (!started.has(job.source)) progress(`${job.source} …`);
        started.add(job.source);
        child.send(job);
        const answer: unknown[] = await Promise.race([once(child, 'message'), ended]);
        results[index] = answer[0] as JobResult;
      }
    } finally {
      child.kill();
    }
  }

  const processes = Math.min(availableParallelism(), processesMax, jobs.length);
  await Promise.all(Array.from({ length: processes }, work));
  return outcomesOf(options, jobs, results);
}

/** Runs the jobs that the parent process sends, until the parent ends this process. */
export function serveJobs(): void {
  process.on('message', (job: Job) => process.send?.(runJob(job)));
}
