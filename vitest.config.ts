import { configDefaults, defineConfig } from 'vitest/config';
import { textsPlugin } from './web/texts-plugin.js';

export default defineConfig({
  plugins: [textsPlugin()],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/browser/**', 'test/slow/**'],
    // The first one ends last.
    globalSetup: ['test/support/global-setup.ts', 'test/support/statements/global-setup.ts'],
    setupFiles: ['test/support/statements/setup.ts'],
    // Far longer than any test takes on an idle machine, since other programs may use the processors as well.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    // The row types of SQL are checked after the tests.
    teardownTimeout: 120_000,
    restoreMocks: true,
    // Tests wait a good deal, for kills and for freezes. What they make they dispose of, and modules hold no state of a
    // service, so each file need not read them anew.
    isolate: false,
    maxWorkers: 3,
  },
});
