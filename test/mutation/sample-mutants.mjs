import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A number that a mutant keeps in every run: from its place, what is put there, and a seed. */
function placeOf({ fileName, location: { start, end }, replacement }, seed) {
  const file = fileName.replace(/^.*\/(?=(shared|cli|functions)\/)/, '');
  const text = [seed, file, start.line, start.column, end.line, end.column, replacement].join(' ');
  return createHash('sha256').update(text).digest('hex');
}

/** A place in a report, whose lines and columns count from 1, as that of a mutant, from 0. */
const fromZero = ({ line, column }) => ({ line: line - 1, column: column - 1 });

/** The mutants that an earlier run left undetected, from its report; one that ran out of time may only have been slow. */
function readUndetected(report) {
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.entries(files).flatMap(([fileName, { mutants }]) =>
    mutants
      .filter(({ status }) => ['Survived', 'NoCoverage', 'Timeout'].includes(status))
      .map(({ replacement, location: { start, end } }) =>
        placeOf({ fileName, replacement, location: { start: fromZero(start), end: fromZero(end) } }, 0),
      ),
  );
}

/**
 * A plugin of Stryker: runs a random sample of the mutants, so that a score can be had of what takes too long to run
 * in full. The others are reported as compile errors, which no score counts.
 */
class SampleChecker {
  async init() {}

  /** Is called once, with all mutants, as {@link group} makes one group of them. */
  async check(mutants) {
    const { MUTANT_SAMPLE = '0', MUTANT_SEED = '1', UNDETECTED_IN } = process.env;
    const seed = UNDETECTED_IN ? 0 : MUTANT_SEED;
    const places = new Map(mutants.map((mutant) => [mutant.id, placeOf(mutant, seed)]));
    const run = new Set(UNDETECTED_IN ? readUndetected(UNDETECTED_IN) : [...places.values()].sort().slice(0, Number(MUTANT_SAMPLE)));
    return Object.fromEntries(
      mutants.map(({ id }) => [
        id,
        run.has(places.get(id)) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
      ]),
    );
  }

  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: SampleChecker }];
