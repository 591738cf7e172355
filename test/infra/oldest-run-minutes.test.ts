import jsonata from 'jsonata';
import { expect, it } from 'vitest';
import { OLDEST_RUN_MINUTES } from '../../infra/constructs/oldest-run-minutes.ts';

/** Evaluates the expression as Step Functions does, over what ListExecutions answers. */
async function oldestRunMinutes(startDates: string[]): Promise<number> {
  const states = { result: { Executions: startDates.map((StartDate) => ({ StartDate })) } };
  return jsonata(OLDEST_RUN_MINUTES).evaluate({}, { states });
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

it('gives the age of the oldest running execution in minutes', async () => {
  expect(await oldestRunMinutes([minutesAgo(5), minutesAgo(90), minutesAgo(30)])).toBeCloseTo(90, 0);
  expect(await oldestRunMinutes([minutesAgo(7)])).toBeCloseTo(7, 0);
});

it('gives 0 when nothing is running', async () => {
  expect(await oldestRunMinutes([])).toBe(0);
});
