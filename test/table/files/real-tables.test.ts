import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { uniqueCombinations } from '../../../shared/table/distinct-rows.ts';
import { readTable } from '../../../shared/table/files/read-table.ts';

/** Real microdata lie beside the project, and are never part of it. */
const DATA = '../shared/data';
const read = (file: string, missing: 'refuse' | 'category' = 'refuse') => readTable(readFileSync(`${DATA}/${file}`), { missing });
const itOnData = it.skipIf(!existsSync(DATA));

describe('real tables', () => {
  itOnData('ny-acs has 7,014 records, 10 variables and 2,513 combinations', async () => {
    const { table, notices } = await read('ny-acs.csv');
    expect(table.records).toBe(7014);
    expect(table.schema.variables).toHaveLength(10);
    expect(notices).toEqual([]);
    const { combinations } = uniqueCombinations(table);
    expect(combinations.count).toBe(2513);
    expect(combinations.counts.reduce((sum, count) => sum + count)).toBe(7014);
  });

  itOnData('ny-acs-missing is refused with counts for each column', async () => {
    await expect(read('ny-acs-missing.csv')).rejects.toMatchObject({
      code: 'missing-values',
      message: expect.stringContaining('2000 in `OWNERSHP`, 2000 in `MORTGAGE`, 2000 in `AGE`'),
    });
  });

  itOnData('ny-acs-missing is accepted with a missing category in each variable', async () => {
    const { table } = await read('ny-acs-missing.csv', 'category');
    expect(table.records).toBe(20_000);
    for (const [v, variable] of table.schema.variables.entries()) {
      if (variable.type !== 'categorical') expect.unreachable(variable.name);
      expect(variable.missingCode).toBe(variable.categories.length - 1);
      expect(variable.categories.at(-1)).toBe('');
      const column = table.columns[v]!;
      if (column.type !== 'categorical') expect.unreachable(variable.name);
      expect(column.codes.filter((code) => code === variable.missingCode)).toHaveLength(2000);
    }
  });

  itOnData('ce-2018q3 has continuous age, expenditure and income', async () => {
    const { table } = await read('ce-2018q3.csv');
    const continuous = table.schema.variables.filter(({ type }) => type === 'continuous');
    expect(continuous.map(({ name }) => name)).toEqual(['Age', 'Expenditure', 'Income']);
    const income = table.columns[6]!;
    if (income.type !== 'continuous') expect.unreachable();
    expect(income.values.filter((value) => value === 0)).toHaveLength(445);
    expect(income.values.filter((value) => value < 0)).toHaveLength(4);
  });

  itOnData('acs2016-sample keeps labels with commas', async () => {
    const { table } = await read('acs2016-sample.csv');
    expect(table.records).toBe(1000);
    expect(table.schema.variables.map(({ name }) => name)).toEqual(['AGEP', 'MAR', 'SCHL', 'SEX', 'WKL']);
    expect(table.schema.variables[2]).toMatchObject({
      categories: expect.arrayContaining(['Some K12, no diploma', 'Some college, no degree']),
    });
  });
});
