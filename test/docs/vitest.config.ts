import { defineConfig } from 'vitest/config';

// `npm run test:docs`: every block of the pages that are followed, in what a fresh clone holds.
export default defineConfig({
  test: {
    include: ['test/docs/*.test.ts'],
    globalSetup: ['scripts/require-kernels.mjs'],
    pool: 'forks',
    // A run takes both cores of a small machine by itself.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
