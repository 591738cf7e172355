import { defineConfig } from 'vitest/config';

/**
 * Tests of functions that keep nothing between calls share a process, and what they import is loaded once. Others set the
 * environment, the folder or the clock, or count what a process does, and have one of their own.
 */
const SHARED = [
  ...['arrays', 'artifacts', 'bench', 'compare', 'contracts', 'cost', 'kernels', 'masking', 'model'],
  ...['numeric', 'oracle', 'pipeline', 'random', 'risk', 'table', 'utility'],
].map((folder) => `test/${folder}/**/*.test.ts`);

/**
 * These need Linux and a network (npm run test:arm64), an emulator of AWS (npm run test:localstack), R and Python (npm run
 * test:languages), Chromium (npm run test:browser), or minutes for what pages say (npm run test:docs).
 */
const ELSEWHERE = ['test/other-nodes/**', 'test/localstack/**', 'test/languages/**', 'test/browser/**', 'test/docs/**'];

export default defineConfig({
  test: {
    exclude: ELSEWHERE,
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, isolate: false } },
      { extends: true, test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: [...ELSEWHERE, ...SHARED] } },
    ],
    globalSetup: ['scripts/require-kernels.mjs'],
    setupFiles: ['test/property-seed.ts'],
    // Processes, not threads: the runner under test has a pool of threads of its own. Two, for machines of two cores.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
