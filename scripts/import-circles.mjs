/**
 * `node scripts/import-circles.mjs`: finds circles of imports, including imports of types and dynamic imports. The rule of oxlint
 * does not find the `.tsx` file of an import that ends with `.js`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installAll, prepare } from './prepare.mjs';

prepare(installAll);
// Imported only now that the packages are installed.
const { parseSync } = await import('vite');

const skippedFolders = /^(?:node_modules|dist.*|generated|coverage|\..*)$/;

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.test(entry.name) ? [] : filesBelow(name);
    return /(?<!\.d)\.tsx?$/.test(entry.name) ? [name] : [];
  });
}

/** Returns the files of the project that a file imports. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const targets = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...dynamicImports.map(({ moduleRequest }) => text.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ];
  const bases = targets
    .filter((target) => target.startsWith('.'))
    .map((target) => path.join(path.dirname(file), target.replace(/\.js$/, '')));
  return bases.flatMap((base) => ['.ts', '.tsx'].map((ending) => base + ending).filter((name) => existsSync(name)));
}

/** Returns the groups of files that import each other, by Tarjan's algorithm for strongly connected components. */
function circlesOf(files) {
  const graph = new Map(files.map((file) => [file, [...new Set(importsOf(file))]]));
  const numbers = new Map();
  const lowest = new Map();
  const stack = [];
  const circles = [];
  const visit = (file) => {
    numbers.set(file, numbers.size);
    lowest.set(file, numbers.get(file));
    stack.push(file);
    for (const other of graph.get(file) ?? []) {
      if (!numbers.has(other)) visit(other);
      if (stack.includes(other)) lowest.set(file, Math.min(lowest.get(file), lowest.get(other)));
    }
    if (lowest.get(file) !== numbers.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || graph.get(file)?.includes(file)) circles.push(group);
  };
  for (const file of files) if (!numbers.has(file)) visit(file);
  return circles;
}

const circles = circlesOf(filesBelow('.'));
for (const files of circles) process.stderr.write(`These files import each other: ${files.toSorted().join(', ')}\n`);
if (circles.length > 0) process.exitCode = 1;
