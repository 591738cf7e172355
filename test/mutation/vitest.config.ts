import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests beside a file come before those of whole runs, which take longer to notice a change. */
class DeepestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const depth = ({ moduleId }: TestSpecification) => moduleId.split('/').length;
    return files.toSorted((a, b) => depth(b) - depth(a) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    // In one process, over stores in memory: tests of the command line run what is built, which has no mutants.
    // With --testFiles in place of this, Stryker would not change what is run when a file is loaded.
    include: process.env.MUTANT_TESTS?.split(',') ?? ['test/{numeric,kernels,model,risk,oracle,pipeline}/**/*.test.ts'],
    setupFiles: ['test/property-seed.ts', 'test/mutation/cover-hooks.ts'],
    // Setup files after Stryker's own.
    sequence: { setupFiles: 'list', sequencer: DeepestFirst },
    globalSetup: ['scripts/require-kernels.mjs'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
