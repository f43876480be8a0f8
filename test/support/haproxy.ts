import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTestFolder } from './folder.js';
import { freePort, programEnvironment, type ProgramProcess, startProgram } from './program.js';

/** A real HAProxy. Disposing of it kills it. */
export type TestHaproxy = AsyncDisposable & {
  /** What it has logged so far. */
  log(): string;
};

/** Leaves out what an older HAProxy, such as Debian's, does not know. It then sends requests to a server before its first check. */
function withoutNewerOptions(configuration: string): string {
  const said = execFileSync('haproxy', ['-v'], { env: programEnvironment(), encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /version (\d+)\.(\d+)/.exec(said) ?? [];
  const knowsInitState = Number(major) * 100 + Number(minor) >= 301;
  return knowsInitState ? configuration : configuration.replaceAll(' init-state fully-down', '');
}

/** Starts HAProxy with a configuration and resolves once it accepts connections on `port`. */
export async function startHaproxy(configuration: string, port: number): Promise<TestHaproxy> {
  const folder = createTestFolder();
  const file = path.join(folder.path, 'haproxy.cfg');
  writeFileSync(file, withoutNewerOptions(configuration));
  let program: ProgramProcess;
  try {
    program = await startProgram({ command: 'haproxy', args: ['-db', '-f', file], port });
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
  let log = '';
  for (const stream of [program.child.stdout, program.child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (log += text));
  }
  return {
    log: () => log,
    async [Symbol.asyncDispose]() {
      await program.kill();
      folder[Symbol.dispose]();
    },
  };
}

/** Where a configuration for the test machine listens, in place of the ports of the original. */
export type BoundPorts = ReadonlyMap<number, number>;

/** Replaces the ports that a configuration listens on by free ones of 127.0.0.1. */
export async function bindToFreePorts(configuration: string): Promise<{ configuration: string; ports: BoundPorts }> {
  const ports = new Map<number, number>();
  let bound = configuration;
  for (const [line, port] of configuration.matchAll(/^ +bind :(\d+)$/gm)) {
    const free = await freePort();
    ports.set(Number(port), free);
    bound = bound.replace(line, `    bind 127.0.0.1:${free}`);
  }
  return { configuration: bound, ports };
}
