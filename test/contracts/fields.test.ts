import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DOCUMENTS } from '../../scripts/pages/documents.ts';
import { renderExamples } from '../../scripts/pages/examples-page.ts';
import { renderFields } from '../../scripts/pages/fields-page.ts';
import { listFields } from '../../scripts/pages/list-fields.ts';
import { renderStarterRules } from '../../scripts/pages/starter-rules-page.ts';
import { describedColumns, TABLES } from '../../shared/contracts/fields/columns.ts';
import { ATTACK_COLUMNS, ATTACK_RECORD_COLUMNS } from '../../shared/contracts/results/attack.ts';
import { ATTRIBUTE_RISK_COLUMNS } from '../../shared/contracts/results/attribute-risk-table.ts';
import { INHERENT_COLUMNS } from '../../shared/contracts/results/bounds.ts';
import { IDENTIFICATION_RISK_COLUMNS } from '../../shared/contracts/results/identification.ts';
import { LINKAGE_COLUMNS, THRESHOLD_COLUMNS } from '../../shared/contracts/results/linkage.ts';
import { UTILITY_COLUMNS } from '../../shared/contracts/results/utility.ts';
import {
  TREE_VARIABLE_COLUMNS,
  VARIABLE_RISK_COLUMNS,
} from '../../shared/contracts/results/variable-risk-table.ts';
import { DIFFERENCE_COLUMNS, RUN_COLUMNS } from '../../shared/pipeline/compare/store-comparison.ts';
import { REMEDY_COLUMNS } from '../../shared/pipeline/results/store-remedies.ts';

describe.each(DOCUMENTS)('%s', (_, __, schema) => {
  it('has a meaning for every field', () => {
    const without = listFields(schema).filter(({ meaning }) => meaning === null);
    expect(without.map(({ path }) => path)).toEqual([]);
  });
});

describe('columns are those of the contracts', () => {
  const names = (file: string) =>
    Object.keys(TABLES.find((table) => table.file === file)!.columns).filter((name) => !/[ (]/.test(name));
  const { ofRecords, beforeVariables, afterVariables, ofTrees } = ATTRIBUTE_RISK_COLUMNS;

  it.each([
    ['attribute-risk', { ...ofRecords, ...beforeVariables, ...afterVariables, ...ofTrees }],
    ['variable-risk', { ...VARIABLE_RISK_COLUMNS, ...TREE_VARIABLE_COLUMNS }],
    ['identification-risk', IDENTIFICATION_RISK_COLUMNS],
    ['utility', UTILITY_COLUMNS],
    ['inherent', INHERENT_COLUMNS],
    ['attack', ATTACK_COLUMNS],
    ['attack-records', ATTACK_RECORD_COLUMNS],
    ['linkage', LINKAGE_COLUMNS],
    ['linkage-thresholds', THRESHOLD_COLUMNS],
  ])('of %s', (file, columns) => {
    expect(names(file)).toEqual(Object.keys(columns));
  });

  it('of comparisons and remedies', () => {
    expect(names('comparison')).toEqual(RUN_COLUMNS);
    expect(names('differences')).toEqual(DIFFERENCE_COLUMNS);
    expect(names('remedies')).toEqual(Object.keys(REMEDY_COLUMNS).filter((name) => !name.endsWith('_se')));
  });
});

it('pages that are made are what `npm run docs:pages` writes', () => {
  expect(readFileSync('docs/reference/fields.md', 'utf8')).toBe(renderFields());
  expect(readFileSync('docs/reference/starter-rules.md', 'utf8')).toBe(renderStarterRules());
  const results = readFileSync('docs/how-to/read-results.md', 'utf8');
  expect(renderExamples(results)).toBe(results);
});

describe('describedColumns()', () => {
  it('gives the meaning of each column, the own variables of the table among them', () => {
    const names = ['combination', 'age', 'rank'];
    const { row, columns } = describedColumns('attribute-risk', names);
    expect(row).toContain('a combination');
    expect(Object.keys(columns)).toEqual(names);
    expect(columns.age).toBe('The table’s own variables.');
    expect(columns.rank).toContain('Rank of the truth');
  });

  it.each(['record', 'combination'])('finds a column that is called by one of two names (%s)', (name) => {
    expect(describedColumns('variable-risk', [name]).columns[name]).toContain('Number from 1');
  });

  it('refuses a file or a column that nothing describes', () => {
    expect(() => describedColumns('nothing', [])).toThrow(RangeError);
    expect(() => describedColumns('utility', ['measures'])).toThrow(/utility.*measures/);
  });
});
