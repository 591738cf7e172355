import { stringify } from 'yaml';

/** A text that no message may hold, wherever it was planted: messages end up in logs. */
export const CANARY = 'CANARY-7Q';

/** A number of the same kind. */
const CANARY_NUMBER = 4711047;

/** What shows that one of them got through. */
export const PLANTED = /CANARY|4711047/i;

/** What a command or an upload is given, and the code of the error that is to refuse it. */
export interface Refused {
  readonly what: string;
  readonly table: string;
  /** Text of the config. */
  readonly config?: string;
  readonly code: string;
}

const jobs = ['clerk', 'farmer', 'none'];
const records = Array.from({ length: 12 }, (_, i) => `${i % 2 ? 'm' : 'f'},${jobs[i % 3]}`);
const manyNumbers = Array.from({ length: 60 }, (_, i) => `${i % 2 ? 'm' : 'f'},${i === 0 ? CANARY_NUMBER : 7 * i}`);
const csv = (...lines: string[]) => `${lines.join('\n')}\n`;

/** A table that nothing is wrong with. */
export const GOOD_TABLE = csv('SEX,JOB', ...records);

/** The same without a header, its first record with a value that no other has. */
export const HEADERLESS_TABLE = csv(`m,${CANARY}`, ...records);

/** Tables with a value in a cell, or in the place of a name that no message may tell before the header is accepted. */
export const REFUSED_TABLES: readonly Refused[] = [
  { what: 'no header', table: HEADERLESS_TABLE, code: 'header-is-data' },
  { what: 'no header, and the value twice', table: csv(`x,${CANARY}`, ...records, `m,${CANARY}`), code: 'header-is-data' },
  { what: 'no header before numbers', table: csv(`m,${CANARY_NUMBER}`, 'm,1', `f,${CANARY_NUMBER}`, 'm,2'), code: 'no-header' },
  { what: 'two columns of a name', table: csv(`${CANARY},${CANARY}`, ...records), code: 'duplicate-variable' },
  { what: 'a column without a name', table: csv(`${CANARY},,SEX`, 'a,b,c'), code: 'empty-variable-name' },
  { what: 'a reserved name', table: csv(`${CANARY},rank`, ...records), code: 'reserved-variable-name' },
  { what: 'a ragged row', table: csv(`SEX,${CANARY}`, ...records, CANARY), code: 'ragged-row' },
  { what: 'an open quote', table: csv(`SEX,${CANARY}`, ...records, `m,"${CANARY}`), code: 'unclosed-quote' },
  { what: 'a stray quote', table: csv(`SEX,${CANARY}`, ...records, `m,${CANARY}"`), code: 'malformed-quote' },
  { what: 'missing values', table: csv('SEX,JOB', ...records, `${CANARY},`), code: 'missing-values' },
  { what: 'a single category', table: csv('SEX,JOB', `m,${CANARY}`, `f,${CANARY}`), code: 'single-category' },
  { what: 'no records', table: csv(`SEX,${CANARY}`), code: 'no-records' },
  { what: 'an identifier', table: csv('SEX,ID', ...Array.from({ length: 60 }, (_, i) => `m,${CANARY}-${i}`)), code: 'identifier' },
  { what: 'a number with a mark of a missing value', table: csv('SEX,INCOME', ...manyNumbers, 'm,?'), code: 'marked-numbers' },
  { what: 'a continuous variable', table: csv('SEX,INCOME', ...manyNumbers), code: 'continuous-variable' },
  {
    what: 'a text among numbers',
    table: csv('SEX,JOB', 'm,1', `f,${CANARY}`),
    config: 'variables: { JOB: { type: continuous } }',
    code: 'not-a-number',
  },
  {
    what: 'another variable than is declared',
    table: csv(`SEX,${CANARY}`, ...records),
    config: 'variables: { JOB: { type: categorical } }',
    code: 'unknown-variable',
  },
  {
    what: 'another variable than is synthesized',
    table: csv(`SEX,${CANARY}`, ...records),
    config: 'synthesis: { synthesized: [JOB] }',
    code: 'unknown-variable',
  },
  {
    what: 'another variable than is unknown',
    table: csv(`SEX,${CANARY}`, ...records),
    config: 'attributeRisk: { candidates: { unknown: [JOB] } }',
    code: 'unknown-variable',
  },
  {
    what: 'every variable synthesized',
    table: csv(`SEX,${CANARY}`, ...records),
    config: stringify({ synthesis: { synthesized: ['SEX', CANARY] } }),
    code: 'nothing-kept',
  },
  {
    what: 'another variable than an intruder knows',
    table: csv(`SEX,${CANARY}`, ...records),
    config: 'synthesis: { synthesized: [SEX] }\nidentification: [{ known: [JOB] }]',
    code: 'unknown-variable',
  },
  {
    what: 'a kept variable without a radius, which bounds need',
    table: csv('SEX,INCOME', ...manyNumbers),
    config: 'synthesis: { synthesized: [SEX] }\ninherent: {}',
    code: 'no-radius',
  },
];

/** Configs with a value where none may be told. */
export const REFUSED_CONFIGS: readonly Refused[] = [
  ...(
    [
      ['a rule that is none', { acceptance: [`risk is ${CANARY}`] }, 'malformed-rule'],
      ['a rule of a figure that there is not', { acceptance: ['attributeRisk.CANARY <= 0.05'] }, 'unknown-figure'],
      ['a rule without a number', { acceptance: ['table.records > 1', `table.records > ${CANARY}`] }, 'malformed-rule'],
      ['a rule of two numbers', { acceptance: [`table.records > ${CANARY_NUMBER}.1.1`] }, 'malformed-rule'],
      ['rules that are no list', { acceptance: { [CANARY]: CANARY } }, 'invalid-config'],
      ['a rule that is no text', { acceptance: [CANARY_NUMBER] }, 'invalid-config'],
      ['a category that is no list', { variables: { JOB: { categories: CANARY } } }, 'invalid-config'],
      ['categories that are fields', { variables: { JOB: { categories: { [CANARY]: 1 } } } }, 'invalid-config'],
      ['a category that is a number', { variables: { JOB: { categories: [CANARY_NUMBER, 1] } } }, 'invalid-config'],
      ['a category that is a list', { variables: { JOB: { categories: [[CANARY]] } } }, 'invalid-config'],
      ['a category twice', { variables: { JOB: { categories: [CANARY, CANARY] } } }, 'duplicate-category'],
      ['a category beside NA', { variables: { JOB: { categories: [CANARY, 'NA'] } } }, 'reserved-category'],
      ['categories of numbers', { variables: { JOB: { type: 'continuous', categories: [CANARY] } } }, 'continuous-with-categories'],
      [
        'a category of no record, but not those of the table',
        { variables: { JOB: { categories: [CANARY, 'clerk'] } } },
        'value-outside-categories',
      ],
      ['a category a level too high', { variables: { JOB: { [CANARY]: ['clerk'] } } }, 'invalid-config'],
      ['a category for a type', { variables: { JOB: { type: CANARY } } }, 'invalid-config'],
      ['a value for a section', { [CANARY]: CANARY_NUMBER }, 'invalid-config'],
      ['a value in a section', { mcmc: { [CANARY]: 1, chains: CANARY } }, 'invalid-config'],
      ['prior odds', { attributeRisk: { prior: { [CANARY]: CANARY_NUMBER } } }, 'invalid-config'],
      ['a value for candidates', { attributeRisk: { candidates: { unknown: [], [CANARY]: 1 } } }, 'invalid-config'],
      ['a value for a radius', { identification: [{ known: ['SEX'], radius: { JOB: CANARY } }] }, 'invalid-config'],
      ['a value for a model', { model: { name: CANARY } }, 'invalid-config'],
      ['an array of values', [CANARY], 'malformed-config'],
    ] as const
  ).map(([what, settings, code]) => ({ what, table: GOOD_TABLE, config: stringify(settings), code })),
  ...(
    [
      ['YAML that is not closed', `variables: { JOB: { categories: [${CANARY}, clerk }`, 'malformed-config'],
      ['YAML with a field twice', `${CANARY}: 1\n${CANARY}: 2`, 'malformed-config'],
      ['YAML with an alias of nothing', `variables: { JOB: { categories: *${CANARY} } }`, 'malformed-config'],
      ['YAML with a stray line', `seed: 1\n${CANARY}\nmodel: {}`, 'malformed-config'],
      // Of these the parser warns.
      ['YAML with a tag', `variables: { JOB: { categories: !${CANARY} [clerk, none] } }`, 'value-outside-categories'],
      ['YAML with fields for a field', `mcmc: { ? { ${CANARY}: 1 } : 1 }`, 'malformed-config'],
    ] as const
  ).map(([what, config, code]) => ({ what, table: GOOD_TABLE, config, code })),
];

/** Settings with values that a run accepts: a declared category that no record has, a rule with a number. */
export const ACCEPTED_SETTINGS = {
  variables: { JOB: { categories: [...jobs, CANARY] } },
  acceptance: [`table.records <= ${CANARY_NUMBER}`],
};
