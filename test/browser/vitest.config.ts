import { defineConfig } from 'vitest/config';

// `npm run test:browser`: the report in Chromium and the page in Firefox as well, which test/browser/find-browsers.ts finds or installs.
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['scripts/require-kernels.mjs', 'test/browser/find-browsers.ts'],
    pool: 'forks',
    // A browser takes two cores by itself.
    fileParallelism: false,
    testTimeout: 300_000,
    // A second, the default, is short where other suites compute beside a browser.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
  },
});
