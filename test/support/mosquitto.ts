import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { createTestFolder } from './folder.js';
import { freePort, type ProgramProcess, startProgram } from './program.js';

/** A Mosquitto of one test's own. Disposing of it kills it and removes what it kept. */
export type TestMosquitto = AsyncDisposable & {
  readonly port: number;
  /** Ends it in an orderly way: what it keeps for its clients is written to the disk. */
  stop(): Promise<void>;
  /** Starts it again, on the same port, with what it had written. */
  start(): Promise<void>;
};

export type MosquittoOptions = {
  /** Passwords by user name. */
  accounts: Readonly<Record<string, string>>;
  /** The access rules, in the form of its `acl_file`. */
  rules: string;
  /** More lines of its configuration. */
  more?: readonly string[];
};

export async function startMosquitto({ accounts, rules, more = [] }: MosquittoOptions): Promise<TestMosquitto> {
  const folder = createTestFolder('mosquitto');
  const port = await freePort();
  const inFolder = (name: string) => path.join(folder.path, name);
  const write = (name: string, lines: readonly string[]) => writeFileSync(inFolder(name), `${lines.join('\n')}\n`);
  write(
    'passwords',
    Object.entries(accounts).map(([user, password]) => `${user}:${password}`),
  );
  execFileSync('mosquitto_passwd', ['-U', inFolder('passwords')]);
  write('rules', rules.split('\n'));
  write('mosquitto.conf', [
    `listener ${port} 127.0.0.1`,
    // As root it would become somebody who may not read these files.
    `user ${userInfo().username}`,
    'allow_anonymous false',
    `password_file ${inFolder('passwords')}`,
    `acl_file ${inFolder('rules')}`,
    'persistence true',
    `persistence_location ${folder.path}/`,
    'max_queued_messages 0',
    ...more,
  ]);
  chmodSync(folder.path, 0o700);
  const begin = () => startProgram({ command: 'mosquitto', args: ['-c', inFolder('mosquitto.conf')], port });
  let program: ProgramProcess = await begin();
  return {
    port,
    async stop() {
      program.child.kill('SIGTERM');
      if (program.child.exitCode === null) await once(program.child, 'exit');
    },
    async start() {
      program = await begin();
    },
    async [Symbol.asyncDispose]() {
      await program.kill();
      folder[Symbol.dispose]();
    },
  };
}
