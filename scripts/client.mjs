/** `npm run client`: writes the types and operations of the TypeScript client from the descriptions of the API and the webhooks. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateClient, installPackages, prepare, root } from './prepare.mjs';
import { withSources } from './sources.mjs';

prepare(installPackages, generateClient);
await withSources(async (load) => {
  const { describedApi, describedEvents } = await load('/scripts/client/described-api.ts');
  const { writeEventTypes, writeTypes } = await load('/scripts/client/write-types.ts');
  const write = (file, text) => writeFileSync(path.join(root, 'clients', 'typescript', 'src', file), text);
  write('api.ts', writeTypes(describedApi()));
  write('events.ts', writeEventTypes(describedEvents(), describedApi()));
});
