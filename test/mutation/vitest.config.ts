import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // In one process, over stores in memory: tests of the command line run what is built, which has no mutants.
    include: ['test/{numeric,kernels,model,risk,oracle,pipeline}/**/*.test.ts'],
    globalSetup: ['scripts/require-kernels.mjs'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
