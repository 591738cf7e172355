import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/packages/*.test.ts'],
    // What is missing is fetched first, and Windows is emulated.
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
