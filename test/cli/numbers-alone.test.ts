import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { remediesSchema } from '../../shared/contracts/results/remedies.ts';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { csvRows, MIXED_SETTINGS, mixedTable, withoutProgram } from '../pipeline/small-run.ts';
import { errorOf, type Outcome, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const RULES = [
  'attributeRisk.continuousVariables.withinAfter <= 0.9',
  'attributeRisk.truthRankedFirstShare <= 1',
  'attributeRisk.firstGuessRightAfter <= 1',
];
const put = (name: string, settings: object) => writeFileSync(join(directory, name), stringify({ ...MIXED_SETTINGS, ...settings }));
const read = (...path: string[]) => readFileSync(join(directory, ...path), 'utf8');
const summaryOf = (run: string): Summary => summarySchema.parse(JSON.parse(read(run, 'confidential', 'summary.json')));
const WRONG = /undefined|NaN|null|Infinity|\[object/;

describe('numbers alone, synthesized by the model mixed with all else kept', () => {
  let evaluated: Outcome;
  beforeAll(async () => {
    writeFileSync(join(directory, 'table.csv'), mixedTable());
    put('numbers.yaml', { synthesis: { datasets: 2, synthesized: ['income', 'age'] }, acceptance: RULES, utility: 'off' });
    evaluated = await synthrisk(directory, ['evaluate', 'table.csv', '--config', 'numbers.yaml', '--out', 'first', '--quiet', '--details']);
  });

  it('have on a terminal how near an intruder comes, and why there are no ranks', () => {
    const { code, stdout } = evaluated;
    expect(code).toBe(4);
    expect(stdout).toMatch(/^Attribute risk, augmented, candidates one-change$/m);
    expect(stdout).toMatch(/income: within 10 % of the true value with probability [\d.]+ % before, [\d.]+ ± [\d.]+ % after/);
    expect(stdout).toMatch(/information gained +-?[\d.]+ ± [\d.]+ bits a record/);
    expect(stdout).toMatch(/^ {2}ranks +not measured: all variables that are guessed at are continuous/m);
    expect(stdout).toMatch(/^Verdict: 2 of 3 acceptance rules are not met\..* comes within 10 % of the true value with probability/m);
    expect(stdout.replaceAll('(undefined)', '')).not.toMatch(WRONG);
    expect(stdout).not.toMatch(/truth ranked first|guessed right|distinguishable|variable-risk|by guessing/);
    expect(stdout).toMatch(/withinAfter <= 0\.9: met \(0\.\d+\)/);
    expect(stdout.match(/NOT MET \(undefined\): all variables that are guessed at are continuous/g)).toHaveLength(2);
  });

  it('have a report of that', () => {
    const report = withoutProgram(read('first', 'confidential', 'report.html'));
    expect(report.replaceAll(/<(svg|script).*?<\/\1>/gs, '')).not.toMatch(WRONG);
    for (const words of [
      'How near an intruder comes to numbers',
      'Attribute disclosure: whole records, ranked (',
      'find a gain of',
      'Most of the gain is in',
    ]) {
      expect(report).toContain(words);
    }
    expect(report).not.toMatch(/Records most at risk|most at risk is|median rank|up to 1 candidate/i);
  });

  it('have cells of the kept variables and of what is resolved in a row of each record, and of no rank', () => {
    const [header, ...rows] = csvRows(Buffer.from(read('first', 'confidential', 'attribute-risk.csv'))) as [string[], ...string[][]];
    const filled = header.filter((_, column) => rows.some((row) => row[column] !== ''));
    const variables = csvRows(mixedTable())[0]!;
    const own = ['candidates', 'uncertainty_resolved', 'uncertainty_resolved_se', 'heavy_tail', 'scenario'];
    expect(filled.filter((name) => name !== 'pareto_k')).toEqual(['record', 'combination', 'count', ...variables, ...own]);
  });

  it('are assessed from their files, compared, told on a public page and planned', async () => {
    const files = [1, 2].map((l) => join('first', 'release', `synthetic-${l}.csv`));
    const assess = ['assess', 'table.csv', '--config', 'numbers.yaml', '--out', 'again', '--quiet', '--synthetic'];
    const assessed = await synthrisk(directory, [...assess, ...files]);
    expect(assessed.code).toBe(4);
    expect(assessed.stdout.replaceAll('(undefined)', '')).not.toMatch(WRONG);
    const [first, again] = ['first', 'again'].map((run) => summaryOf(run).attributeRisk[0]!);
    for (const [j, own] of first!.continuousVariables!.entries()) {
      const other = again!.continuousVariables![j]!;
      // Before the release both have what the chains on the table alone find.
      expect(other.withinBefore / own.withinBefore).toBeCloseTo(1, 1);
    }
    const compared = await synthrisk(directory, ['compare', 'first', 'again', '--json']);
    const { runs } = JSON.parse(compared.stdout);
    const at = 'attributeRisk["one-change"]';
    expect(runs[0].risk[`${at}.continuousVariables.withinAfter`].value).toBe(
      Math.max(...first!.continuousVariables!.map(({ withinAfter }) => withinAfter)),
    );
    expect(runs[0].risk[`${at}.probabilityMean`]).toMatchObject({ value: null, reason: first!.rankedReason });
    const reported = await synthrisk(directory, ['report', 'first', '--public']);
    expect(reported.code).toBe(0);
    expect(read('first', 'confidential', 'public.html')).toContain('no value has a probability');
    const planned = await synthrisk(directory, ['plan', 'table.csv', '--config', 'numbers.yaml']);
    expect(planned.stdout).toMatch(/^no categories to guess at: [\d,]+ values of numbers in all$/m);
  });
});

describe('remedies of a table of numbers', () => {
  const BREAKS = ['--breaks', 'income=0,1,20000,40000'];
  const remedies = (...flags: string[]) => synthrisk(directory, ['remedies', 'all', '--table', 'numbers.csv', ...flags]);
  const near = (file: string, run: string) => {
    const [header, ...rows] = csvRows(Buffer.from(read(run, 'confidential', file))) as [string[], ...string[][]];
    return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]!])));
  };

  beforeAll(async () => {
    const [header, ...rows] = csvRows(mixedTable()) as [string[], ...string[][]];
    const columns = ['age', 'income'].map((name) => header.indexOf(name));
    const lines = [header, ...rows].map((row) => columns.map((column) => row[column]).join(','));
    writeFileSync(join(directory, 'numbers.csv'), `${lines.join('\n')}\n`);
    put('all.yaml', { utility: 'off' });
    const evaluated = await synthrisk(directory, ['evaluate', 'numbers.csv', '--config', 'all.yaml', '--out', 'all', '--quiet']);
    expect(evaluated.code).toBe(0);
    expect(summaryOf('all').attributeRisk).toMatchObject([{ truthRankMedian: null, continuousVariables: [{}, {}] }]);
  });

  it('have figures of numbers, of what each run found, and none of ranks but for bands', async () => {
    const tried = await remedies('--datasets', '1', ...BREAKS, '--named', '5,7', '--json');
    expect(tried.code, tried.stderr).toBe(0);
    const found = remediesSchema.parse(JSON.parse(tried.stdout));
    expect(found).toMatchObject({ ofRecords: true, named: [5, 7] });
    expect(found.remedies.map(({ name }) => name)).toEqual([null, 'again', 'datasets-1', 'bands']);
    for (const { name, risk, rankedReason, probabilityMax } of found.remedies) {
      const run = name === null ? 'all' : join('all-remedies', name);
      const [own] = summaryOf(run).attributeRisk;
      expect([rankedReason, probabilityMax]).toEqual([own!.rankedReason, own!.probabilityMax]);
      const figures = near('continuous-risk.csv', run);
      for (const { variable, withinAfter, reason } of risk.file.continuousVariables!) {
        const inBands = name === 'bands' && variable === 'income';
        const measured = own!.continuousVariables!.find((one) => one.variable === variable);
        expect(measured === undefined).toBe(inBands);
        expect(reason !== undefined).toBe(inBands);
        expect(withinAfter).toEqual(inBands ? null : { mean: measured!.withinAfter, standardError: measured!.withinAfterSe });
        for (const row of risk.rows) {
          const value = figures.find((one) => one.record === `${row.record}` && one.variable === variable);
          const shown = row.continuousVariables!.find((one) => one.variable === variable)!;
          expect(shown.withinAfter).toBe(inBands ? null : Number(value!.within_after));
        }
      }
      expect(risk.rows.map(({ record }) => record)).toEqual([5, 7]);
    }
    const config = JSON.parse(read('all-remedies', 'bands', 'confidential', 'plan.json')).config;
    expect(config.variables.income).toEqual({ breaks: [0, 1, 20_000, 40_000], range: [0, 100_000] });
    expect(config.variables.age).toEqual(MIXED_SETTINGS.variables.age);
    expect(near('remedies-continuous.csv', 'all-remedies')).toHaveLength(4 * 2 * (2 + 2));
  });

  it('are on a terminal and on the report of the run without a column of ranks, and look at the riskiest records', async () => {
    const tried = await remedies('--datasets', '1');
    expect(tried.code, tried.stderr).toBe(0);
    expect(tried.stdout).toMatch(/means over records, 10 records named$/m);
    expect(tried.stdout).toMatch(
      /^remedy +gain, bits +near age +near income +AUC of membership +found at 1 % +named: near age +named: near income +named: gain$/m,
    );
    expect(tried.stdout).toMatch(/^near income: how probably an intruder comes within 10 % of the true value$/m);
    expect(tried.stdout).toContain('remedies-continuous.csv');
    expect(tried.stdout).not.toMatch(WRONG);
    const named = new Set(near('remedies-continuous.csv', 'all-remedies').flatMap(({ record }) => (record ? [Number(record)] : [])));
    const riskiest = near('continuous-risk.csv', 'all').toSorted((a, b) => Number(b.within_after) - Number(a.within_after));
    expect(named).toContain(Number(riskiest[0]!.record));
    expect(named.size).toBe(10);
    expect((await synthrisk(directory, ['report', 'all', '--remedies', 'all-remedies'])).code).toBe(0);
    const report = withoutProgram(read('all', 'confidential', 'report.html'));
    expect(report).toMatch(/What was tried.*Near the value of income/s);
    expect(report).not.toContain('Largest probability of a truth');
  });

  it.each([
    ['unknown-record', ['--datasets', '1', '--named', '81']],
    ['malformed-records', ['--datasets', '1', '--named', 'combinations.csv']],
    ['no-remedies', []],
    ['unordered-breaks', ['--breaks', 'income=10,5', '--out', 'wrong']],
    ['value-below-breaks', ['--breaks', 'income=5,10', '--out', 'below']],
    ['unknown-variable', ['--breaks', 'nobody=0,1', '--out', 'nobody']],
  ])('refuses: %s', async (error, flags) => {
    writeFileSync(join(directory, 'combinations.csv'), 'combination\n3\n');
    const outcome = await remedies(...flags, '--json');
    expect({ code: outcome.code, error: errorOf(outcome).code }).toEqual({ code: 2, error });
  });
});

describe('intruders who lack one variable of a table with numbers', () => {
  const unknown = (name: string, acceptance: readonly string[]) => ({ name, candidates: { unknown: [name] }, acceptance });
  const scenarios = [
    unknown('income', ['continuousVariables.withinAfter <= 0.9']),
    unknown('region', ['candidatesPerCombinationMax <= 4']),
    { name: 'both', candidates: { unknown: ['region', 'employment'] }, prior: 'model' },
  ];

  beforeAll(() => writeFileSync(join(directory, 'table.csv'), mixedTable()));

  it('have figures of their own, of which rules can be, whichever comes first', async () => {
    put('unknown.yaml', { attributeRisk: { scenarios }, utility: 'off' });
    const { code, stdout } = await synthrisk(directory, [
      'evaluate',
      'table.csv',
      '--config',
      'unknown.yaml',
      '--out',
      'unknown',
      '--quiet',
      '--details',
    ]);
    // So few chains have not converged on the number.
    expect(code).toBe(4);
    expect(summaryOf('unknown').acceptance).toMatchObject([
      { scenario: 'income', value: expect.any(Number), reason: expect.stringContaining('Ask for more chains') },
      { scenario: 'region', value: 4, met: true },
    ]);
    expect(stdout).toMatch(/^Attribute risk of the scenario "income", augmented, candidates unknown: income$/m);
    expect(stdout.match(/ranks +not measured: all variables that are guessed at are continuous/g)).toHaveLength(1);
    expect(stdout).toMatch(/^Verdict: 1 of 2 acceptance rules is not met\./m);
    expect(stdout).not.toMatch(WRONG);
    const { attributeRisk } = summaryOf('unknown');
    expect(attributeRisk.map(({ candidatesPerCombinationMax }) => candidatesPerCombinationMax)).toEqual([1, 4, 20]);
    expect(attributeRisk.map(({ continuousVariables }) => continuousVariables?.length ?? 0)).toEqual([1, 0, 0]);
    const report = withoutProgram(read('unknown', 'confidential', 'report.html'));
    expect(report.replaceAll(/<(svg|script).*?<\/\1>/gs, '')).not.toMatch(WRONG);
  });

  it('are assessed anew in a run that there is', async () => {
    const { code, stdout } = await synthrisk(directory, [
      'assess',
      'table.csv',
      '--run',
      'unknown',
      '--unknown',
      'age',
      '--out',
      'anew',
      '--quiet',
      '--details',
    ]);
    expect([0, 4]).toContain(code);
    expect(stdout).toMatch(/^Attribute risk, augmented, candidates unknown: age$/m);
    const [found] = summaryOf('anew').attributeRisk;
    expect(found!.continuousVariables!.map(({ variable }) => variable)).toEqual(['age']);
  });

  it('are those of a calibration', async () => {
    put('calibration.yaml', { calibration: { targets: 40, replicates: 2 } });
    const calibrate = ['calibrate', 'table.csv', '--config', 'calibration.yaml', '--quiet'];
    const refused = await synthrisk(directory, [...calibrate, '--out', 'refused']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--unknown A');
    const { code, stdout } = await synthrisk(directory, [...calibrate, '--unknown', 'income', '--out', 'calibration']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Calibration of augmented, candidates unknown: income \(65 for each target\)$/m);
    expect(read('calibration', 'confidential', 'calibration.html')).toContain(
      'every value of income, the intruder knowing the other variables',
    );
  });

  it.each([
    ['numbers together', 'income,age', 'guessed at by itself'],
    ['a number with categories', 'region,income', 'name it alone'],
    ['a variable that there is not', 'incme', 'did you mean income?'],
  ])('are refused where they lack %s', async (_, names, words) => {
    const outcome = await synthrisk(directory, [
      'evaluate',
      'table.csv',
      '--config',
      'calibration.yaml',
      '--unknown',
      names,
      '--out',
      'none',
    ]);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain(words);
  });
});
