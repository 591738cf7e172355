import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/other-nodes/*.test.ts'],
    // Runs are of one day, also where their bytes are compared around midnight.
    env: { SOURCE_DATE_EPOCH: '1773014400' },
    // Emulated, a run of a second takes half a minute; and what is missing is fetched first.
    testTimeout: 600_000,
  },
});
