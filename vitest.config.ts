import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Tests that set the environment, the folder or the clock, or replace what others import, have a process of their own, and so have
 * long loops of JavaScript, which take three times as long where other code has called the same functions. The others share one, in
 * which what they import is loaded once.
 */
const APART = [
  ...[
    'cli/cloud/**/*',
    'cli/print/print',
    'cli/run/place-key',
    'cli/run/progress',
    'fault/bad-day',
    'fault/interruptions',
    'functions/**/*',
  ],
  ...['intruder/cloud-oracle', 'model/*/geweke'],
  ...['pipeline/plan/today', 'report/render-report', 'scripts/packed', 'scripts/require-kernels', 'storage/file-store', 'storage/s3-store'],
].map((file) => `test/${file}.test.ts`);

/**
 * These need Linux and a network (npm run test:arm64), an emulator of AWS (npm run test:localstack), R and Python (npm run
 * test:languages), Chromium (npm run test:browser), Wine (npm run test:packages), or minutes for what pages say (npm run test:docs).
 */
const ELSEWHERE = ['test/other-nodes/**', 'test/localstack/**', 'test/languages/**', 'test/browser/**', 'test/packages/**', 'test/docs/**'];

export default defineConfig({
  test: {
    exclude: ELSEWHERE,
    projects: [
      { extends: true, test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: [...ELSEWHERE, ...APART], isolate: false } },
      { extends: true, test: { name: 'apart', include: APART } },
    ],
    globalSetup: ['scripts/require-kernels.mjs'],
    setupFiles: ['test/set-up.ts'],
    // Runs are of one day, also where their bytes are compared around midnight.
    env: { SOURCE_DATE_EPOCH: '1773014400' },
    // Processes, not threads: the runner under test has a pool of threads of its own. One core is left to what runs beside, of two none.
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
