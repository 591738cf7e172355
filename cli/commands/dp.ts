import type { Command } from 'commander';
import { addPrivacyEvaluation } from './dp/evaluate.ts';
import { addIncreaseTable } from './dp/table.ts';

/** `dp`: differential privacy beside probabilistic risk, on simulated binary tables. */
export function addDp(program: Command): void {
  const dp = program
    .command('dp')
    .description('differential privacy beside probabilistic risk, on simulated binary tables (McClure and Reiter 2012)')
    .addHelpText(
      'after',
      `
Examples:
  synthrisk dp table
  synthrisk dp evaluate --out privacy

Of a table of your own: synthrisk evaluate table.csv --model dirichlet-multinomial --epsilon 2 --config run.yaml`,
    );
  addIncreaseTable(dp);
  addPrivacyEvaluation(dp);
}
