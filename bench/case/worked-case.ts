import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { householdTable } from '../../examples/household-table.ts';
import { type PublicSummary, publicSummarySchema } from '../../shared/contracts/release/public-summary.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { readSummary } from '../commands/run-synthrisk.ts';

/** What the agency of the case asks for, before it has seen a figure. */
export const CASE_CONFIG = `# case.yaml
table: household.csv
attributeRisk:
  scenarios:
    - { name: all but one value, candidates: one-change }
    - { name: all but the income, candidates: { unknown: [income_band] }, prior: model }
acceptance:
  - 'attributeRisk["all but one value"].firstGuessRightAfter <= 0.6'
  - 'attributeRisk["all but the income"].gainBitsMean <= 0.1'
  - 'utility.figures.twoWayTotalVariation <= 0.06'
`;

/** Datasets of the release as it was first planned, and as it was released. */
const PLANNED_DATASETS = 5;
const RELEASED_DATASETS = 2;

/** No secret, so that everybody finds the numbers of the page; the table of the case is invented. */
export const CASE_KEY = Uint8Array.from({ length: 32 }, (_, i) => i);

/** What the runs of the case found. */
export interface WorkedCase {
  readonly planned: Summary;
  readonly released: Summary;
  readonly public: PublicSummary;
}

/**
 * Carries the case out in a folder, as its page tells it.
 *
 * @param program the built command line
 * @throws Error when a command ends otherwise than the page says
 */
export function carryOut(folder: string, program: string): void {
  writeFileSync(join(folder, 'household.csv'), householdTable(1));
  writeFileSync(join(folder, 'case.yaml'), CASE_CONFIG);
  writeFileSync(join(folder, 'case-key'), encodeKey(CASE_KEY));
  const run = (code: number, ...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' });
    if (status !== code) throw new Error(`synthrisk ${args[0]} ended with ${status}: ${stderr.slice(-500)}`);
  };
  const evaluate = (code: number, datasets: number, out: string, ...more: string[]) => {
    const settings = ['--config', 'case.yaml', '--datasets', `${datasets}`, '--release-key', 'case-key'];
    run(code, 'evaluate', ...settings, ...more, '--out', out, '--quiet');
  };
  // 4: a rule is not met.
  evaluate(4, PLANNED_DATASETS, 'planned', '--reproducibility', '0.95');
  evaluate(0, RELEASED_DATASETS, 'released');
  run(0, 'report', 'released', '--public');
}

/** What the runs of the case found, in the folder in which it was carried out. */
export function readCase(folder: string): WorkedCase {
  const planned = readSummary(join(folder, 'planned'));
  const released = readSummary(join(folder, 'released'));
  const published = readFileSync(join(folder, 'released', 'confidential', 'public.json'), 'utf8');
  return { planned, released, public: publicSummarySchema.parse(JSON.parse(published)) };
}
