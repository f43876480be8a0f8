import { defineConfig } from 'vitest/config';

/** What takes long by its nature, such as the failure of a primary. scripts/slow-tests.mjs lists what each test covers. */
export default defineConfig({
  test: {
    include: ['test/slow/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    isolate: false,
    maxWorkers: 2,
  },
});
