import { totalmem } from 'node:os';
import { InsufficientMemoryError } from '../../shared/contracts/errors.ts';
import { predictMemory } from '../../shared/pipeline/plan/predict-memory.ts';
import type { RunSizes } from '../../shared/pipeline/synthesizers/run-sizes.ts';
import { formatMemory, formatQuantity } from '../../shared/report/words/format-number.ts';

const MIB = 1024 * 1024;

const inMemory = (bytes: number) => formatMemory(bytes / MIB);

/**
 * Memory that a run may take when nothing else is said: what the machine has, or the container in which this
 * process runs. Not what is free at the moment, which other programs change and caches understate.
 */
export function defaultMemoryLimit(): number {
  const constrained = process.constrainedMemory();
  // 0 where it is not known, and a number beyond all memory where there is no limit.
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/**
 * Refuses a run that is predicted to take more memory than it may.
 *
 * @throws InsufficientMemoryError `memory-limit`, with both figures and what lowers the first
 */
export function requireMemory(run: RunSizes, jobs: number, limitBytes: number): void {
  const { peak, phases } = predictMemory(run, jobs);
  if (peak <= limitBytes) return;
  let fewer = jobs - 1;
  while (fewer > 0 && predictMemory(run, fewer).peak > limitBytes) fewer--;
  const remedies = [
    ...(fewer > 0 ? [`--jobs ${fewer}`] : []),
    ...(phases.assess === peak ? ['a smaller --batch-size', 'fewer chains'] : []),
    'a higher --memory, if there is more',
  ];
  throw new InsufficientMemoryError(
    'memory-limit',
    `The run would take about ${inMemory(peak)} of memory with ${formatQuantity(jobs, 'job')}, more than the limit of ${inMemory(limitBytes)}. What helps: ${remedies.join('; ')}.`,
  );
}
