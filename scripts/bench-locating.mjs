/**
 * `npm run bench:locating`: builds the locating benchmark and runs it in this process. It needs neither database nor
 * service. With `--double` it runs once for each constant of the rule.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildService, installPackages, prepare, root } from './prepare.mjs';

const output = 'dist-bench-locating';
const main = path.join(root, output, 'bench', 'locating', 'main.js');

prepare(installPackages, () => buildService(['bench/locating/main.ts'], output));
if (process.argv.includes('--double')) doubleEach(process.argv.slice(2).filter((argument) => argument !== '--double'));
else await import(pathToFileURL(main).href);

/** Prints a row of a table for each constant: by how much truth and moves change in each kind of worlds if it is doubled. */
function doubleEach(args) {
  const copy = path.join(root, 'dist-bench-locating-doubled');
  cpSync(path.join(root, output), copy, { recursive: true });
  const file = path.join(copy, 'server', 'locating', 'constants.js');
  const text = readFileSync(file, 'utf8');
  const command = [path.join(copy, 'bench', 'locating', 'main.js'), '--tune', '--brief', '--deciders', 'evidence'];
  const measure = (source) => {
    writeFileSync(file, source);
    const stdio = ['ignore', 'pipe', 'inherit'];
    return JSON.parse(execFileSync(process.execPath, [...command, ...args], { encoding: 'utf8', stdio }));
  };
  const before = measure(text);
  const kinds = Object.keys(before);
  console.log(`| constant | value | ${kinds.join(' | ')} |\n|---|--:|${kinds.map(() => '--:|').join('')}`);
  for (const [line, name, value] of text.matchAll(/^export const (\w+) = (-?[\d._e]+);$/gm)) {
    const after = measure(text.replace(line, `export const ${name} = 2 * ${value};`));
    const cells = kinds.map((kind) => {
      const truth = after[kind].truthPercent - before[kind].truthPercent;
      return `${truth.toFixed(1)} (${(after[kind].moves - before[kind].moves).toFixed(2)})`;
    });
    console.log(`| ${name} | ${value} | ${cells.join(' | ')} |`);
  }
}
