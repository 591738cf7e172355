import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { MIXED_SETTINGS, mixedTable, smallTable } from '../pipeline/small-run.ts';
import { SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';
import { runPython, runR } from './programs.ts';

const directory = temporaryFolder();
const examples = fileURLToPath(new URL('../../examples/', import.meta.url));

/** Figures of the summary that the examples find again from the tables. */
const FIGURES = ['truthRankedFirstShare', 'probabilityMean', 'informationBitsMean', 'gainBitsMean', 'probabilityTrueAfter'] as const;

const RUNS = ['full', 'partial'];

beforeAll(async () => {
  writeFileSync(join(directory, 'table.csv'), smallTable({ records: 120 }));
  for (const [name, flags] of [
    ['full', []],
    ['partial', ['--synthesized', 'education,employment']],
  ] as const) {
    const evaluate = ['evaluate', 'table.csv', '--out', name, '--datasets', '2', '--quiet'];
    const { code, stderr } = await synthrisk(directory, [...evaluate, ...flags, ...SMALL_FLAGS]);
    expect(code, stderr).toBe(0);
    // The same run with another figure in its summary.
    const changed = join(directory, `${name}-changed`);
    cpSync(join(directory, name), changed, { recursive: true });
    const path = join(changed, 'confidential', 'summary.json');
    const summary = JSON.parse(readFileSync(path, 'utf8'));
    summary.attributeRisk[0].informationBitsMean += 0.001;
    writeFileSync(path, JSON.stringify(summary));
  }
}, 120_000);

describe.each([
  ['R', (run: string) => runR(join(examples, 'read-risk.R'), join(directory, run))],
  ['Python', (run: string) => runPython(join(examples, 'read_risk.py'), join(directory, run))],
])('the example in %s', (_, read) => {
  it.each(RUNS)('finds the figures of the summary in the tables (%s)', (run) => {
    const { code, output } = read(run);
    expect({ code, output }).toMatchObject({ code: 0 });
    const text = readFileSync(join(directory, run, 'confidential', 'summary.json'), 'utf8');
    const [risk] = summarySchema.parse(JSON.parse(text)).attributeRisk;
    for (const figure of FIGURES) expect(output).toContain(`${figure} ${risk![figure]!.toFixed(6)}`);
  });

  it.each(RUNS)('says when a figure is another (%s)', (run) => {
    const { code, output } = read(`${run}-changed`);
    expect(code).toBe(1);
    expect(output).toContain('informationBitsMean is another in summary.json');
  });
});

describe('the example in Python, of continuous variables', () => {
  it.each([
    ['all', { datasets: 2 }],
    ['numbers alone', { datasets: 2, synthesized: ['income', 'age'] }],
  ])('finds the figures of the summary in continuous-risk (%s)', async (name, synthesis) => {
    writeFileSync(join(directory, 'numbers.csv'), mixedTable());
    writeFileSync(join(directory, `${name}.json`), JSON.stringify({ ...MIXED_SETTINGS, synthesis, utility: 'off' }));
    const evaluate = ['evaluate', 'numbers.csv', '--config', `${name}.json`, '--out', name, '--quiet'];
    const evaluated = await synthrisk(directory, evaluate);
    expect(evaluated.code, evaluated.stderr).toBe(0);
    const read = () => runPython(join(examples, 'read_risk.py'), join(directory, name));
    const { code, output } = read();
    expect({ code, output }).toMatchObject({ code: 0 });
    const path = join(directory, name, 'confidential', 'summary.json');
    const summary = summarySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    const risk = summary.attributeRisk[0]!;
    expect(output).toContain(`gainBitsMean ${risk.gainBitsMean!.toFixed(6)}`);
    for (const { withinAfter } of risk.continuousVariables!) expect(output).toContain(`withinAfter ${withinAfter.toFixed(6)}`);
    risk.continuousVariables![1]!.withinAfter += 0.001;
    writeFileSync(path, JSON.stringify(summary));
    expect(read()).toMatchObject({ code: 1, output: expect.stringContaining('withinAfter is another in summary.json') });
  });
});
