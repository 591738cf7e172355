import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/languages/*.test.ts'],
    // What is missing is installed first.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
