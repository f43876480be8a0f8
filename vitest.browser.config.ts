import { defineConfig } from 'vitest/config';
import { textsPlugin } from './web/texts-plugin.js';

/** People's tasks in a real browser: each file has a service and a browser of its own. */
export default defineConfig({
  plugins: [textsPlugin()],
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 3,
    // Each file disposes of what it made, and reading the service's modules anew for each takes a quarter of the time.
    isolate: false,
  },
});
