import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

type Surroundings = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

/** A terminal in which one command runs until Ctrl-C. */
export type RunningTerminal = {
  /** Everything the command has printed once the text appears in it; rejects with that if it ends before. */
  printed(text: string): Promise<string>;
  /** Signals every process of the command, like a keyboard; resolves once they have ended. */
  pressCtrlC(): Promise<void>;
};

export function runInTerminal(command: string, { cwd, env }: Surroundings): RunningTerminal {
  // A group of its own: a signal to the group is what a terminal makes of Ctrl-C.
  const bash = spawn('bash', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let hasEnded = false;
  const listeners = new Set<() => void>();
  const report = () => {
    for (const listen of listeners) listen();
  };
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      report();
    });
  }
  const ended = new Promise<void>((resolve) => {
    bash.once('close', () => {
      hasEnded = true;
      report();
      resolve();
    });
  });
  async function pressCtrlC(): Promise<void> {
    if (!hasEnded && bash.pid !== undefined) process.kill(-bash.pid, 'SIGINT');
    await ended;
  }
  return {
    async printed(text) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve(output);
          else if (hasEnded) reject(new Error(`"${command}" ended:\n${output}`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      });
    },
    pressCtrlC,
  };
}

/** A terminal that remembers its variables from one piece of commands to the next. */
export type Shell = AsyncDisposable & {
  /** Runs commands and resolves with what they printed; rejects with that where one of them failed. */
  run(commands: string): Promise<string>;
};

/** @param scratch a folder for the commands: they are read from files, so that none of them reads the next ones */
export function openShell({ cwd, env, scratch }: Surroundings & { readonly scratch: string }): Shell {
  const bash = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let complaints = '';
  let look = () => {};
  const ended = new Promise<void>((resolve) => {
    bash.once('close', () => resolve());
  });
  bash.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    look();
  });
  bash.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  bash.stdin.write('set -eu -o pipefail\n');
  return {
    async run(commands) {
      const mark = randomUUID();
      const file = path.join(scratch, `${mark}.sh`);
      writeFileSync(file, commands);
      output = '';
      complaints = '';
      const done = new Promise<string>((resolve) => {
        look = () => {
          if (output.endsWith(mark)) resolve(output.slice(0, -mark.length));
        };
      });
      bash.stdin.write(`. '${file}' < /dev/null; printf '%s' ${mark}\n`);
      const failed = ended.then(() => {
        throw new Error(`this failed:\n${commands}\n${output}${complaints}`);
      });
      return Promise.race([done, failed]);
    },
    async [Symbol.asyncDispose]() {
      bash.stdin.end();
      await ended;
    },
  };
}
