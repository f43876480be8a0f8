/** `npm run generate`: writes `generated/`, the Prisma client and the API client of the tests. */
import { generateClient, installPackages, prepare, root } from './prepare.mjs';

/** The API client comes from the sources as they stand; Vite reads them as the tests do, without a build. */
async function generateApiClient() {
  const { createViteServer } = await import('vitest/node');
  const server = { middlewareMode: true, hmr: false, watch: null };
  const vite = await createViteServer({ root, configFile: false, appType: 'custom', server });
  try {
    const { generateApiClient } = await vite.ssrLoadModule('/test/support/api-client.ts');
    generateApiClient();
  } finally {
    await vite.close();
  }
}

prepare(installPackages, generateClient);
await generateApiClient();
