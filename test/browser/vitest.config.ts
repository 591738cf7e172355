import { defineConfig } from 'vitest/config';

// `npm run test:browser`: the report in Chromium, which test/browser/find-chromium.ts finds or installs.
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['scripts/require-kernels.mjs', 'test/browser/find-chromium.ts'],
    pool: 'forks',
    // A browser takes two cores by itself.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
