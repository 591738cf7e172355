import { InsufficientMemoryError } from '../../shared/contracts/errors.ts';
import { predictMemory } from '../../shared/pipeline/plan/predict-memory.ts';
import type { RunSizes } from '../../shared/pipeline/synthesizers/run-sizes.ts';
import { formatMemory, formatQuantity } from '../../shared/report/words/format-number.ts';

/** Memory that a tab has at least in browsers of today. */
const TAB_MIB = 3500;

const MIB = 1024 * 1024;

/**
 * Refuses a run that is predicted to take more memory than a page has: a tab that runs out of it ends without a word.
 *
 * @param limitMiB what the page has
 * @throws InsufficientMemoryError `memory-limit`, with both figures and what helps
 */
export function requireTabMemory(run: RunSizes, jobs: number, limitMiB = TAB_MIB): void {
  const peakMiB = (cores: number) => predictMemory(run, cores).peak / MIB;
  if (peakMiB(jobs) <= limitMiB) return;
  const fewer = jobs > 1 && peakMiB(1) <= limitMiB ? 'Use fewer cores. ' : '';
  throw new InsufficientMemoryError(
    'memory-limit',
    `The run would take about ${formatMemory(peakMiB(jobs))} of memory with ${formatQuantity(jobs, 'core')}, more than the ${formatMemory(limitMiB)} that a page of a browser has. ${fewer}Leave variables out, put numbers in bands, or take precision quick; the command line evaluates the table as it is.`,
  );
}
