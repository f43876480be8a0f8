import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve('.');

/** Prints the address of each module that the compiled service loads with a module. */
const hooks = `
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    if (resolved.url.includes('/dist/')) process.stdout.write(resolved.url + '\\n');
    return resolved;
  }`;

function run(script: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' });
}

function filesCoveredBy(name: string): string[] {
  return JSON.parse(
    run(`
      import { filesCoveredBy } from './scripts/slow-tests.mjs';
      console.log(JSON.stringify(filesCoveredBy('.', '${name}')));`),
  ) as string[];
}

/** Returns the source files of what Node.js loads with a module of the service, types excluded. */
function loadedWith(module: string): string[] {
  const script = `
    import { register } from 'node:module';
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});
    await import(${JSON.stringify(path.join(root, 'dist', module))});`;
  const dist = path.join(root, 'dist');
  return run(script)
    .split('\n')
    .filter((url) => url.startsWith('file:'))
    .map((url) => path.relative(dist, new URL(url).pathname).replace(/\.js$/, '.ts'));
}

it.each(['durability-kill', 'power-loss'])(
  'a change of any module that ingestion loads, or of a migration or a function, runs %s again',
  (name) => {
    const covered = filesCoveredBy(name);
    const loaded = loadedWith('server/tracking/scans/ingestion.js');
    expect(loaded).toContain('server/kernel/database/statement.ts');
    // What is generated follows from the schema, which the migrations change.
    const missing = loaded.filter((file) => !file.startsWith('generated/') && !covered.includes(file));
    expect(missing).toEqual([]);
    expect(covered).toContain('prisma/functions/require_all_stored.sql');
    expect(covered).toContain('ingest-broker/receive.ts');
  },
);
