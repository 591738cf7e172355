import { afterAll, beforeAll, beforeEach } from 'vitest';

/** What Stryker counts in the first run of the tests: by the id of a mutant, how often code came past it. */
interface Coverage {
  static: Record<string, number>;
  readonly perTest: Record<string, Record<string, number>>;
}
interface Stryker {
  readonly currentTestId?: string;
  readonly activeMutant?: string;
  readonly mutantCoverage?: Coverage;
}

const stryker = (globalThis as { __stryker__?: Stryker }).__stryker__;

/**
 * Stryker takes what runs in `beforeAll` for what runs when a file is loaded, and leaves its mutants alone. Here it
 * counts for every test that comes after it, as whole runs are made there that many tests look at.
 */
if (stryker && stryker.activeMutant === undefined) {
  let loaded: Record<string, number> = {};

  beforeAll(() => {
    loaded = { ...stryker.mutantCoverage?.static };
  });

  beforeEach(() => {
    const { currentTestId, mutantCoverage } = stryker;
    if (!mutantCoverage || currentTestId === undefined) return;
    const ofTest = mutantCoverage.perTest[currentTestId] ?? {};
    mutantCoverage.perTest[currentTestId] = ofTest;
    for (const [mutant, hits] of Object.entries(mutantCoverage.static)) {
      const inHooks = hits - (loaded[mutant] ?? 0);
      if (inHooks > 0) ofTest[mutant] = (ofTest[mutant] ?? 0) + inHooks;
    }
  });

  afterAll(() => {
    if (stryker.mutantCoverage) stryker.mutantCoverage.static = loaded;
  });
}
