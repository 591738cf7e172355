import type { RunnerTestCase } from 'vitest';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification, type Vite, type VitestPluginContext } from 'vitest/node';

/** Tests beside a file come before those of whole runs, which take longer to notice a change. */
class DeepestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const depth = ({ moduleId }: TestSpecification) => moduleId.split('/').length;
    return files.toSorted((a, b) => depth(b) - depth(a) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

/** Stryker looks at tests alone, and would miss a file that fails before any of its tests has begun: it has a test here that failed. */
const failedFiles: Vite.Plugin = {
  name: 'failed-files',
  configureVitest({ vitest: { state } }: VitestPluginContext) {
    const getFiles = state.getFiles.bind(state);
    state.getFiles = (names) => {
      const files = getFiles(names);
      for (const file of files.filter(({ result, tasks }) => result?.state === 'fail' && tasks.length === 0)) {
        file.tasks.push({
          type: 'test',
          name: 'is loaded',
          mode: 'run',
          meta: {},
          annotations: [],
          artifacts: [],
          file,
          result: file.result,
        } as unknown as RunnerTestCase);
      }
      return files;
    };
  },
};

export default defineConfig({
  plugins: [failedFiles],
  test: {
    // In one process, over stores in memory: tests of the command line run what is built, which has no mutants.
    // With --testFiles in place of this, Stryker would not change what is run when a file is loaded.
    include: process.env.MUTANT_TESTS!.split(','),
    setupFiles: ['test/set-up.ts', 'test/mutation/cover-hooks.ts'],
    // Setup files after Stryker's own.
    sequence: { setupFiles: 'list', sequencer: DeepestFirst },
    globalSetup: ['scripts/require-kernels.mjs'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
