import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const testFiles = (files: readonly string[]) => files.map((file) => `test/${file}.test.ts`);

/**
 * These replace what others import, look at what is of one process, or are long loops of JavaScript, which take half as long again, and
 * some twice as long, where other code has called the same functions: a process for each.
 */
const APART = testFiles([
  ...['cli/cloud/silence', 'fault/interruptions', 'functions/usage', 'scripts/packed', 'scripts/require-kernels'],
  ...['intruder/public-page', 'kernels/densities/*', 'kernels/evaluator/*', 'kernels/ratios/likelihood-ratio', 'model/*/{geweke,joint}'],
  ...['oracle/{all-cells,dp-areal,lesser-knowledge,reconstruction,truncated,two-classes}', 'pipeline/assess/assess-trees'],
  ...['risk/attack/learned-intruder', 'risk/mixed/mixed-scorer'],
]);

/**
 * These set the environment, the folder or the clock, or call functions, which keep what they opened: each loads the program anew, in a
 * process in which packages, which take longer to load, are there. All others share one in which the program is loaded once.
 */
const ANEW = testFiles([
  ...['cli/cloud/**/*', 'cli/print/print', 'cli/run/place-key', 'cli/run/progress', 'fault/bad-day', 'functions/**/*'],
  ...['intruder/cloud-oracle', 'pipeline/plan/today', 'report/render-report', 'storage/file-store', 'storage/s3-store'],
]);

/**
 * These need Linux and a network (npm run test:arm64), an emulator of AWS (npm run test:localstack), R and Python (npm run
 * test:languages), Chromium (npm run test:browser), Wine (npm run test:packages), or minutes for what pages say (npm run test:docs).
 */
const ELSEWHERE = ['test/other-nodes/**', 'test/localstack/**', 'test/languages/**', 'test/browser/**', 'test/packages/**', 'test/docs/**'];

export default defineConfig({
  test: {
    exclude: ELSEWHERE,
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: [...ELSEWHERE, ...ANEW, ...APART], isolate: false },
      },
      { extends: true, test: { name: 'anew', include: ANEW, exclude: APART, isolate: false, setupFiles: ['test/anew.ts'] } },
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
