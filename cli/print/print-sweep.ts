import { namesInWords } from '../../shared/contracts/in-command.ts';
import { formatDuration } from '../../shared/report/words/format-duration.ts';
import { formatMemory, formatQuantity } from '../../shared/report/words/format-number.ts';
import type { SweptEstimate } from '../run/sweep-runs.ts';

/** What a whole sweep takes: its runs follow each other, so that minutes and disk add up and memory does not. */
export const sweepTotals = (runs: readonly SweptEstimate[]) => ({
  minutes: runs.reduce((sum, { minutes }) => sum + minutes, 0),
  memoryMiB: Math.max(...runs.map(({ memoryMiB }) => memoryMiB)),
  diskMiB: runs.reduce((sum, { diskMiB }) => sum + diskMiB, 0),
});

/** The plan of a sweep as lines. */
export function sweepLines(runs: readonly SweptEstimate[], jobs: number): string[] {
  const { minutes, memoryMiB, diskMiB } = sweepTotals(runs);
  const width = Math.max(...runs.map(({ name }) => name.length));
  return [
    `${formatQuantity(runs.length, 'run')}, one after the other`,
    ...runs.map((run) => {
      const synthesized = run.synthesized === 'all' ? 'all' : namesInWords(run.synthesized);
      return `  ${run.name.padEnd(width)}   ${run.model}, ${formatQuantity(run.datasets, 'dataset')}, ${synthesized} synthesized: about ${formatDuration(60 * run.minutes)}, ${formatMemory(run.memoryMiB)}`;
    }),
    `about ${formatDuration(60 * minutes)} in all with ${formatQuantity(jobs, 'job')}, ${formatMemory(memoryMiB)} of memory at most, ${formatMemory(diskMiB)} of disk`,
  ];
}
