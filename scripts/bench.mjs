/** `npm run bench` and `bench:ingest`: builds the service and the benchmarks, then runs one in this very process with the arguments given. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildService, generateClient, installTests, prepare, root } from './prepare.mjs';

prepare(
  installTests,
  generateClient,
  () => buildService(),
  () => buildService(['bench/main.ts'], 'dist-bench'),
);
await import(pathToFileURL(path.join(root, 'dist-bench', 'bench', 'main.js')).href);
