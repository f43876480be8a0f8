/** `npm run client`: writes the types and operations of the TypeScript client from the description of the API. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateClient, installPackages, prepare, root } from './prepare.mjs';
import { withSources } from './sources.mjs';

prepare(installPackages, generateClient);
await withSources(async (load) => {
  const { describedApi } = await load('/scripts/client/described-api.ts');
  const { writeTypes } = await load('/scripts/client/write-types.ts');
  writeFileSync(path.join(root, 'clients', 'typescript', 'src', 'api.ts'), writeTypes(describedApi()));
});
