import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { COUNT_SETTINGS, csvRows, smallTable } from '../pipeline/small-run.ts';
import { SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);
const run = (...args: string[]) => synthrisk(directory, args);
const summaryOf = (folder: string): Summary =>
  summarySchema.parse(JSON.parse(readFileSync(inFolder(folder, 'confidential/summary.json'), 'utf8')));
const rulesOf = (folder: string): string[] =>
  JSON.parse(readFileSync(inFolder(folder, 'confidential/plan.json'), 'utf8')).config.acceptance;
const columnsOf = (path: string) => {
  const [header, ...rows] = csvRows(readFileSync(inFolder(path)));
  return (name: string) => rows.map((row) => row[header!.indexOf(name)]!);
};
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const RESOLVED = /uncertainty resolved +[-\d.]+(?: ± [\d.]+)? % of the [\d.]+ bits a record that the intruder lacked/;

const RUNS = {
  chains: ['--datasets', '2', ...SMALL_FLAGS],
  counts: ['--config', 'counts.yaml'],
  trees: ['--model', 'cart', '--synthesized', 'education,employment', '--datasets', '3'],
} as const;

let printed: Record<string, string>;

beforeAll(async () => {
  writeFileSync(inFolder('table.csv'), smallTable());
  writeFileSync(inFolder('counts.yaml'), stringify(COUNT_SETTINGS));
  printed = {};
  for (const [name, flags] of Object.entries(RUNS)) {
    const { code, stdout, stderr } = await run('evaluate', 'table.csv', ...flags, '--no-utility', '--details', '--out', name);
    expect(code, stderr).toBe(0);
    printed[name] = stdout;
  }
}, 120_000);

describe.each(Object.keys(RUNS))('the uncertainty that a release by %s resolves', (name) => {
  it('is gained by lacked bits of the rows of variable-risk.csv, as the summary has it', () => {
    const [risk] = summaryOf(name).attributeRisk;
    const column = columnsOf(`${name}/confidential/variable-risk.csv`);
    const numbers = (of: string) => column(of).map(Number);
    const [counts, before, gain] = [numbers('count'), numbers('probability_before'), numbers('gain_bits')];
    const lacked = before.map((probability) => -Math.log2(probability));
    const weighted = (bits: readonly number[]) => sum(bits.map((own, row) => counts[row]! * own));
    expect(risk!.uncertaintyResolved).toBeCloseTo(weighted(gain) / weighted(lacked), 4);
    for (const [row, share] of column('uncertainty_resolved').entries()) {
      expect(Number(share)).toBeCloseTo(gain[row]! / lacked[row]!, 6);
    }
    expect(risk!.uncertaintyResolvedSe).toBeGreaterThan(0);
    for (const of of ['variable', 'attribute']) {
      const errors = columnsOf(`${name}/confidential/${of}-risk.csv`)('uncertainty_resolved_se');
      expect(errors.every((text) => Number(text) > 0 || text === '0')).toBe(true);
    }
  });

  it('is told in a sentence, on the scale, and beside the commonest value', () => {
    expect(printed[name]!.replaceAll('\u00a0', ' ')).toMatch(RESOLVED);
    expect(printed[name]).toContain('independent release; 100');
    expect(printed[name]).toContain('by the commonest value of each variable');
    const report = readFileSync(inFolder(name, 'confidential/report.html'), 'utf8');
    expect(report).toMatch(/0.%: an independent release/);
    expect(report).toContain('of the intruder’s uncertainty about the true values');
  });

  it('opens the headline, whose figures have their errors and are named by scenario', () => {
    const text = readFileSync(inFolder(name, 'confidential/summary.json'), 'utf8');
    expect(Object.keys(JSON.parse(text))[0]).toBe('headline');
    const { headline, attributeRisk } = summaryOf(name);
    const [risk] = attributeRisk;
    expect(headline[0]).toEqual({
      name: `attributeRisk["${risk!.scenario}"].uncertaintyResolved`,
      value: risk!.uncertaintyResolved,
      se: risk!.uncertaintyResolvedSe,
      baseline: 0,
    });
    expect(headline.length).toBeLessThanOrEqual(10);
    for (const { se, seReason } of headline) expect(se === null).toBe(seReason !== undefined);
  });
});

describe('the headline', () => {
  /** Judges a run by its own headline: the exit code, and the rules. */
  const judge = async (name: keyof typeof RUNS, command: readonly string[]) => {
    const { headline } = summaryOf(name);
    const rules = headline.map((figure) => `${figure.name} <= ${figure.value + 1e-6}`);
    const out = `${name}-judged`;
    const { code } = await run(...command, '--accept', ...rules, '--out', out, '--quiet');
    const { acceptance } = summaryOf(out);
    expect(acceptance.map(({ value }) => value)).toEqual(headline.map(({ value }) => value));
    return { code, acceptance };
  };

  it('has the names by which rules find its figures', async () => {
    const { code, acceptance } = await judge('counts', ['evaluate', 'table.csv', ...RUNS.counts]);
    expect({ code, met: acceptance.every(({ met }) => met) }).toEqual({ code: 0, met: true });
  });

  it('has them of chains as well, where figures that are not settled meet no rule', async () => {
    const { code, acceptance } = await judge('chains', ['reassess', 'chains']);
    expect(code).toBe(4);
    for (const { met, reason } of acceptance) {
      expect(met).toBe(false);
      expect(reason).toContain('The chains have not converged on this risk');
    }
  });
});

describe('the commonest value of each variable', () => {
  it('is right as often as the table says', () => {
    const column = columnsOf('table.csv');
    const right = summaryOf('chains').attributeRisk[0]!.variables.map((own) => {
      const values = column(own.variable);
      const counts = [...new Set(values)].map((value) => values.filter((one) => one === value).length);
      expect(own.commonestShare).toBeCloseTo(Math.max(...counts) / values.length, 12);
      return Math.max(...counts) / values.length;
    });
    expect(right).toHaveLength(4);
    expect(summaryOf('chains').attributeRisk[0]!.commonestShare).toBeCloseTo(sum(right) / right.length, 12);
  });
});

describe('starter rules', () => {
  it('are judged as ordinary rules, with those of the user and of the config', async () => {
    writeFileSync(inFolder('own.yaml'), stringify({ ...COUNT_SETTINGS, acceptance: ['attributeRisk.gainBitsMean <= 100'] }));
    const { code, stdout, stderr } = await run(
      ...['evaluate', 'table.csv', '--config', 'own.yaml', '--no-utility', '--out', 'starter'],
      ...['--accept-starter', '--details'],
    );
    expect(rulesOf('starter')).toEqual(['attributeRisk.uncertaintyResolved <= 0.1', 'attributeRisk.gainBitsMean <= 100']);
    const { acceptance } = summaryOf('starter');
    expect(code, stderr).toBe(acceptance.every(({ met }) => met) ? 0 : 4);
    expect(stdout).toContain('Acceptance: attributeRisk.uncertaintyResolved <= 0.1: ');
  });

  it('are those that apply: of trees, of chains, and of who matches', async () => {
    const { code } = await run(
      ...['evaluate', 'table.csv', ...RUNS.trees, '--known', 'age_group', '--no-utility', '--out', 'matched'],
      '--accept-starter',
    );
    expect(code).toBe(4);
    expect(rulesOf('matched')).toEqual([
      'attributeRisk.uncertaintyResolved <= 0.1',
      'identificationRisk.mean.trueMatchRate <= 0.05',
      'attributeRisk.provenShare <= 0',
    ]);
    await run('reassess', 'chains', '--accept-starter', '--out', 'chains-starter', '--quiet');
    expect(rulesOf('chains-starter')).toEqual(['attributeRisk.uncertaintyResolved <= 0.1', 'attributeRisk.reproducibility >= 0.95']);
    expect(summaryOf('chains-starter').acceptance).toHaveLength(2);
  });

  it('are printed as a config that can be edited and used', async () => {
    const { code, stdout } = await run('schema', '--starter-rules');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# A starting point, not a recommendation/);
    expect(parse(stdout)).toEqual({ acceptance: ['attributeRisk.uncertaintyResolved <= 0.1'] });
    // All of them once the comment signs are taken away.
    const all = stdout.replaceAll("# - '", "- '");
    expect(parse(all).acceptance).toHaveLength(4);
    writeFileSync(inFolder('rules.yaml'), all);
    const used = await run('reassess', 'chains', '--config', 'rules.yaml', '--out', 'edited', '--quiet');
    expect(used.code, used.stderr).toBe(4);
    expect(rulesOf('edited')).toHaveLength(4);
    // What was not measured does not meet its rule.
    const proven = summaryOf('edited').acceptance.find(({ rule }) => rule.includes('provenShare'));
    expect(proven).toMatchObject({ value: null, met: false });
  });
});

describe('runs side by side', () => {
  it('are compared by the uncertainty that they resolve', async () => {
    const { code, stdout, stderr } = await run('compare', 'chains', 'counts', '--out', 'compared', '--json');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('uncertaintyResolved');
  });
});
