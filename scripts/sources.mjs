import { root } from './prepare.mjs';

/**
 * Calls `use` with a function that loads a TypeScript module of the project, by its path from the root. Vite compiles the
 * modules as it does for the tests, so nothing has to be built before.
 */
export async function withSources(use) {
  const { createServer } = await import('vite');
  const server = { middlewareMode: true, ws: false, watch: null };
  const optimizeDeps = { noDiscovery: true };
  const vite = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'warn',
    server,
    optimizeDeps,
  });
  try {
    return await use((file) => vite.ssrLoadModule(file));
  } finally {
    await vite.close();
  }
}
