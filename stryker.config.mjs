const sampled = 'MUTANT_SAMPLE' in process.env || 'UNDETECTED_IN' in process.env;

/**
 * Which code is mutated, and with what its mutants are run. What survives on purpose is explained in
 * docs/how-to/contributing.md.
 */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './test/mutation/ignore-error-texts.mjs', './test/mutation/sample-mutants.mjs'],
  ignorers: ['error-texts'],
  checkers: sampled ? ['sample'] : [],
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  // A mutant is run by the tests that come past it; one that is run once, when a file is loaded, by all.
  coverageAnalysis: 'perTest',
  ignoreStatic: false,
  concurrency: 1,
  // Machines that do something else beside are slow at times, and a mutant that is only slow is not killed.
  timeoutMS: 10_000,
  // With a checker Stryker runs two mutants at a time, once all are checked.
  timeoutFactor: sampled ? 2 : 1.5,
  dryRunTimeoutMinutes: 20,
  // A sample says nothing of the mutants that are not in it.
  incremental: !sampled,
  incrementalFile: `${process.env.MUTANT_REPORT}-known.json`,
  tempDirName: '.cache/mutation/sandbox',
  // The sandbox is a copy of the project without what these tests do not import.
  ignorePatterns: ['.*', 'dist', 'docs', 'infra', 'localstack', 'synthrisk-runs'],
  // Paths in it are rewritten for the sandbox by a part of the compiler that TypeScript 7 has no more. No test reads it.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `${process.env.MUTANT_REPORT}.json` },
  htmlReporter: { fileName: `${process.env.MUTANT_REPORT}.html` },
};
