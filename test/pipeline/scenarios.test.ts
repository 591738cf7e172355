import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { openPlanSchema } from '../../shared/contracts/run/plan.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { candidateTable } from '../../shared/pipeline/tables/candidate-table.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows, runInMemory, smallConfig, smallTable } from './small-run.ts';

const table = smallTable({ records: 40 });
const [names] = csvRows(table) as [string[]];

const scenarios = [
  { name: 'knows all but one', candidates: 'one-change' as const },
  { name: 'lacks two', candidates: { unknown: [names[0]!, names[2]!] } },
  { name: 'knows nothing of it', candidates: 'all-cells' as const },
];

const request = (attributeRisk: object): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'evaluate',
  config: smallConfig({ attributeRisk }),
  table,
});

async function evaluated(attributeRisk: object) {
  const run = await runInMemory(request(attributeRisk));
  const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
  const rows = async (key: string) => {
    const [header, ...values] = csvRows(await run.store.get(key)) as [string[], ...string[][]];
    return values.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]!])));
  };
  return {
    run,
    summary,
    risk: await rows(run.keys.confidential.table('attribute-risk').csv),
    values: (await run.store.head(run.keys.confidential.table('variable-risk').csv))
      ? await rows(run.keys.confidential.table('variable-risk').csv)
      : [],
  };
}

describe('several scenarios in one run', () => {
  it('have the figures, to the last digit, that each has in a run of its own', async () => {
    const together = await evaluated({ scenarios });
    expect(together.summary.attributeRisk.map(({ scenario }) => scenario)).toEqual(scenarios.map(({ name }) => name));
    for (const [s, { name, candidates }] of scenarios.entries()) {
      // Beside all cells phi is scored as it was drawn.
      const alone = await evaluated({ scenarios: [{ name, candidates }], phi: 'drawn' });
      expect(together.summary.attributeRisk[s]).toEqual(alone.summary.attributeRisk[0]);
      expect(together.risk.filter(({ scenario }) => scenario === name)).toEqual(alone.risk);
      expect(together.values.filter(({ scenario }) => scenario === name)).toEqual(alone.values);
    }
    // One below the other, in the order of the config.
    const order = together.risk.map(({ scenario }) => scenarios.findIndex(({ name }) => name === scenario));
    expect(order).toEqual([...order].sort());
  });

  it('run the chains of one', async () => {
    const tasks = async (attributeRisk: object) =>
      (await runInMemory(request(attributeRisk))).store.list('').then((keys) => keys.filter((key) => key.endsWith('.npz')).length);
    expect(await tasks({ scenarios })).toBe(await tasks({ candidates: 'one-change', phi: 'drawn' }));
  });

  it('are asked for by name where one record is looked at', async () => {
    const { run, risk } = await evaluated({ scenarios: scenarios.slice(0, 2) });
    for (const { name } of scenarios.slice(0, 2)) {
      const [header, ...rows] = csvRows(await candidateTable(run.store, { runId: run.plan.runId, combination: 3, scenario: name })) as [
        string[],
        ...string[][],
      ];
      const truth = rows.find((row) => row[header.indexOf('is_truth')] === 'true')!;
      const own = risk.find(({ scenario, combination }) => scenario === name && combination === '3')!;
      expect(truth[header.indexOf('rank')]).toBe(own.rank);
      expect(Number(truth[header.indexOf('probability')])).toBeCloseTo(Number(own.probability), 12);
    }
    await expect(candidateTable(run.store, { runId: run.plan.runId, combination: 3, scenario: 'nobody' })).rejects.toMatchObject({
      code: 'no-such-scenario',
    });
  });

  it.each([
    ['one-change', 1],
    ['two-changes', 2],
  ] as const)('of %s has the posterior of all cells within %i changes', async (candidates, most) => {
    const all = { name: 'all', candidates: { unknown: names } };
    const within = { name: 'within', candidates };
    const { run } = await evaluated({ scenarios: [all, within] });
    const posteriorOf = async (scenario: string, combination: number) => {
      const request = { runId: run.plan.runId, combination, scenario };
      const [header, ...rows] = csvRows(await candidateTable(run.store, request)) as [string[], ...string[][]];
      const at = (name: string) => header.indexOf(name);
      const truth = rows.find((row) => row[at('is_truth')] === 'true')!;
      return rows.map((row) => ({
        cell: names.map((name) => row[at(name)]).join(),
        changes: names.filter((name) => row[at(name)] !== truth[at(name)]).length,
        probability: Number(row[at('probability')]),
      }));
    };
    for (const combination of [1, 2, 3]) {
      const cells = (await posteriorOf('all', combination)).filter(({ changes }) => changes <= most);
      const sum = cells.reduce((total, { probability }) => total + probability, 0);
      const listed = new Map((await posteriorOf('within', combination)).map(({ cell, probability }) => [cell, probability]));
      expect(listed.size).toBe(cells.length);
      for (const { cell, probability } of cells) expect(listed.get(cell)! / (probability / sum)).toBeCloseTo(1, 9);
    }
  });

  it('are side by side in the report, each with its records most at risk', async () => {
    const { run, risk } = await evaluated({ scenarios, acceptanceRegion: ['RR <= 1e9'] });
    const page = new TextDecoder().decode(await run.store.get(run.keys.confidential.report));
    const section = page.slice(page.indexOf('id="scenarios"'));
    for (const head of ['… before the release', 'Privacy loss, nats: median', 'Break the acceptance region']) {
      expect(section).toContain(`<th scope="row">${head}</th>`);
    }
    for (const { name } of scenarios) {
      const from = section.indexOf(`Under the scenario <bdi>${name}</bdi>`);
      expect(from).toBeGreaterThan(0);
      const [, first] = /<tbody>\s*<tr><th scope="row"><a href="#record=(\d+)">/.exec(section.slice(from))!;
      const own = risk.filter(({ scenario }) => scenario === name);
      const most = own.reduce((a, b) => (Number(b.ratio_to_uniform) > Number(a.ratio_to_uniform) ? b : a));
      expect(first).toBe(most.combination);
    }
  });

  it('are named in their warnings, and what holds of several is said once', async () => {
    const twins = ['first', 'second'].map((name) => ({ name, candidates: 'one-change' as const }));
    const { summary } = await evaluated({ scenarios: [...twins, scenarios[1]] });
    const { warnings } = (await evaluated({ candidates: 'one-change' })).summary;
    const ofRisk = warnings.filter(({ code }) => ['low-reproducibility', 'heavy-tails'].includes(code));
    expect(ofRisk).not.toEqual([]);
    for (const { code, message } of ofRisk) {
      expect(summary.warnings).toContainEqual({ code, message: `Scenarios "first", "second": ${message}` });
    }
    for (const { message } of summary.warnings.filter(({ code }) => code === ofRisk[0]!.code)) {
      expect(message).toMatch(/^Scenarios? "/);
    }
  });

  it('say nothing of their names in the open', async () => {
    const { run } = await evaluated({ scenarios });
    const open = await readJson(run.store, run.keys.openPlan, openPlanSchema);
    for (const { name } of scenarios) expect(JSON.stringify(open)).not.toContain(name);
  });
});

describe('a config with scenarios', () => {
  const refused = (attributeRisk: object) => () => completeConfig({ attributeRisk });

  it('is refused with two of one name, with two of all cells, and beside other candidates', () => {
    const [first, , cells] = scenarios;
    expect(refused({ scenarios: [first, first] })).toThrow(/same name/);
    expect(refused({ scenarios: [cells, { ...cells, name: 'another' }] })).toThrow(/all-cells/);
    expect(refused({ scenarios, candidates: 'two-changes' })).toThrow(/of their own/);
    expect(refused({ scenarios: [] })).toThrow();
  });

  it('gives way to candidates of the command line', () => {
    const config = completeConfig({ attributeRisk: { scenarios } }, { attributeRisk: { candidates: 'two-changes' } });
    expect(config.attributeRisk.scenarios).toEqual([{ name: 'two-changes', candidates: 'two-changes', prior: 'uniform' }]);
  });

  it('reads as it was written', () => {
    const config = completeConfig({ attributeRisk: { scenarios } });
    expect(completeConfig(JSON.parse(JSON.stringify(config)))).toEqual(config);
  });
});
