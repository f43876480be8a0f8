import { spawnSync } from 'node:child_process';
import { programEnvironment } from './program.js';

/** Runs Prometheus's `promtool check`, and returns its exit code and its output. */
export function promtoolCheck(what: 'config' | 'rules', file: string): { code: number | null; output: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', ['check', what, file], {
    env: programEnvironment(),
    encoding: 'utf8',
  });
  if (error) throw error;
  return { code: status, output: stdout + stderr };
}
