import { root } from './prepare.mjs';

/**
 * Calls `use` with a function that loads a TypeScript module of the project, by its path from the root. Vite compiles the
 * modules as it does for the tests, so nothing has to be built before.
 */
export async function withSources(use) {
  const { createViteServer } = await import('vitest/node');
  const server = { middlewareMode: true, ws: false, watch: null };
  const optimizeDeps = { noDiscovery: true };
  const vite = await createViteServer({
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
