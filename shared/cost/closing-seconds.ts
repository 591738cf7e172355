import { ROWS_HELD } from '../contracts/results/record-details.ts';
import { CLOUD_ASSUMPTIONS as ASSUMED } from './cloud-assumptions.ts';

/** CPU seconds in which so many combinations, and values of them, are put together and reported, by one thread each. */
export const closingSeconds = (combinations: number, values: number) => ({
  aggregate: combinations * ASSUMED.aggregateSecondsPerCombination + values * ASSUMED.aggregateSecondsPerValue,
  report: combinations * ASSUMED.reportSecondsPerCombination + Math.min(combinations, ROWS_HELD) * ASSUMED.reportSecondsPerRowHeld,
});
