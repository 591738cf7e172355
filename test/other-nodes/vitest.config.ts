import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/other-nodes/*.test.ts'],
    // Emulated, a run of a second takes half a minute; and what is missing is fetched first.
    testTimeout: 600_000,
  },
});
