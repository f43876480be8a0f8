import { spawn } from 'node:child_process';
import path from 'node:path';
import type { OsUser } from './os-user.js';

const linesShown = 5;

export type Outcome = {
  readonly code: number;
  readonly output: string;
};

/** Runs a program of PostgreSQL to its end, isolated from the terminal's signals. */
export async function runProgram(program: string, args: string[], user: OsUser): Promise<Outcome> {
  const child = spawn(program, args, { ...user, cwd: path.parse(program).root, detached: true });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Returns the last lines of a program's output, which explain why it failed. */
export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-linesShown).join('\n');
}
