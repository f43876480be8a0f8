/** `npm run bench:parsers`: builds the parsers with their benchmark and runs it in this process. It needs neither database nor service. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateClient, installTests, prepare, root } from './prepare.mjs';

prepare(installTests, generateClient);
const { build } = await import('vite');
await build({ configFile: path.join(root, 'bench', 'parsers', 'vite.config.ts'), logLevel: 'warn' });
await import(pathToFileURL(path.join(root, 'dist-bench-parsers', 'main.js')).href);
