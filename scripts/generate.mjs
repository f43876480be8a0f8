/** `npm run generate`: writes `generated/`, the Prisma client and the API client of the tests. */
import { generateClient, installTests, prepare } from './prepare.mjs';
import { withSources } from './sources.mjs';

prepare(installTests, generateClient);
await withSources(async (load) => {
  const { generateApiClient } = await load('/test/support/api-client.ts');
  generateApiClient();
});
