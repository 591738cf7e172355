import { insertTables } from '../../scripts/pages/insert-tables.ts';
import { concurrencyTable, costTable, limitsTable, tasksTable } from './cost-study.ts';

/** docs/explanation/cost.md with its tables made anew. */
export function costPage(page: string): string {
  return insertTables(page, { cost: costTable(), concurrency: concurrencyTable(), tasks: tasksTable(), limits: limitsTable() });
}
