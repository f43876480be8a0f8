import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a `curl` command that a page shows, as a shell does, with more variables, and returns what it printed. */
export async function runCurl(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await run('sh', ['-c', command], { env: { ...process.env, ...env } });
  return stdout;
}
