import { spawnSync } from 'node:child_process';
import { programEnvironment } from './program.js';

/** Runs Prometheus's `promtool`, and returns its exit code and its output. */
export function promtool(...args: string[]): { code: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, {
    env: programEnvironment(),
    encoding: 'utf8',
  });
  if (error) throw error;
  return { code: status, output: stdout + stderr };
}
