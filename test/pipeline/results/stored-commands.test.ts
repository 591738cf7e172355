import { beforeEach, describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { privacyEvaluationSchema } from '../../../shared/contracts/results/differential-privacy.ts';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { VERSION } from '../../../shared/contracts/version.ts';
import { planIdentification, scenariosToIdentify } from '../../../shared/pipeline/plan/plan-identification.ts';
import { IDENTIFY, readIdentificationRisk, storeIdentification } from '../../../shared/pipeline/results/identify-records.ts';
import { DP_EVALUATE, storePrivacy } from '../../../shared/pipeline/results/store-privacy.ts';
import { identifyRelease } from '../../../shared/risk/identification/identification-risk.ts';
import { evaluatePrivacy } from '../../../shared/risk/privacy/evaluate-privacy.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { csvRows, smallConfig } from '../small-run.ts';

let store: MemoryStore;

beforeEach(() => {
  store = new MemoryStore();
});

const textOf = async (key: string) => new TextDecoder().decode(await store.get(key));

/** The rows of a CSV file, each value by its column. */
async function rowsOf(key: string): Promise<Record<string, string>[]> {
  const [header, ...rows] = csvRows(await store.get(key)) as [string[], ...string[][]];
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]!])));
}

describe('what `dp evaluate` stores', () => {
  const scenario = (p0: number, epsilon: number) => ({ p0, epsilon, n: 50, prior: 0.2 });
  const evaluation = { version: VERSION, ...finish(evaluatePrivacy([scenario(0.1, 2), scenario(0.5, 2), scenario(0.1, 5)], 3, 1)) };
  const { simulation } = runKeys(DP_EVALUATE);
  /** The scenarios of each population, in their order. */
  const ofPopulation = [[evaluation.scenarios[0]!, evaluation.scenarios[2]!], [evaluation.scenarios[1]!]] as const;

  it('has risk against utility of each population, a row a pair', async () => {
    await storePrivacy(store, evaluation);
    for (const [figure, scenarios] of ofPopulation.entries()) {
      const rows = await rowsOf(simulation.figure(figure + 1));
      const expected = scenarios.flatMap(({ p0, epsilon, pairs }) =>
        pairs.map((pair, i) => ({
          ...{ p0, epsilon, replicate: i + 1, true_value: pair.trueValue, ones: pair.ones },
          ...{ synthetic_ones: pair.syntheticOnes, prior: pair.prior, utility_loss: pair.utilityLoss },
          ...{ risk: pair.absolute, relative_risk: pair.relative, log_bayes_factor: pair.logBayesFactor },
          privacy_loss: Math.abs(pair.logBayesFactor),
        })),
      );
      expect(rows.map((row) => Object.values(row).map(Number))).toEqual(expected.map((row) => Object.values(row)));
      expect(Object.keys(rows[0]!)).toEqual(Object.keys(expected[0]!));
    }
    expect(evaluation.scenarios.flatMap(({ pairs }) => pairs).some((pair) => pair.logBayesFactor < 0)).toBe(true);
  });

  it('has after these relative against absolute risk of each, under a thousand priors', async () => {
    await storePrivacy(store, evaluation);
    for (const [figure, scenarios] of ofPopulation.entries()) {
      const rows = await rowsOf(simulation.figure(ofPopulation.length + figure + 1));
      expect(rows).toHaveLength(scenarios.length * 3 * 1000);
      for (const at of [0, 999, 1000, rows.length - 1]) {
        const row = rows[at]!;
        const { epsilon, pairs } = scenarios[Math.floor(at / 3000)]!;
        const pair = pairs[Math.floor(at / 1000) % 3]!;
        const prior = ((at % 1000) + 1) / 1001;
        // Bayes: the odds of the true value become B times as large.
        const odds = (Math.exp(pair.logBayesFactor) * prior) / (1 - prior);
        const risk = odds / (1 + odds);
        expect([row.epsilon, row.replicate].map(Number)).toEqual([epsilon, 1 + (Math.floor(at / 1000) % 3)]);
        expect(Number(row.true_value)).toBe(pair.trueValue);
        expect(Number(row.prior)).toBeCloseTo(prior, 12);
        expect(Number(row.risk)).toBeCloseTo(risk, 10);
        expect(Number(row.relative_risk)).toBeCloseTo(risk / prior, 10);
      }
    }
  });

  it('has the document and its page, and nothing else', async () => {
    await storePrivacy(store, evaluation);
    expect(await readJson(store, simulation.document, privacyEvaluationSchema)).toEqual(evaluation);
    expect(await textOf(simulation.page)).toMatch(/^<!doctype html>/i);
    const figures = [1, 2, 3, 4].map((figure) => simulation.figure(figure));
    expect(new Set(await store.list(''))).toEqual(new Set([...figures, simulation.document, simulation.page]));
  });
});

describe('what `identify` stores', () => {
  const table = 'A,B\nx,p\nx,q\ny,q\ny,r\n';
  const bytes = (text: string) => async () => new TextEncoder().encode(text);
  const request = (dataset: string) => {
    const config = smallConfig({ synthesis: { synthesized: ['B'] }, identification: [{ name: 'neighbours', known: ['A'] }] });
    return {
      config,
      scenarios: scenariosToIdentify(config),
      table: bytes(table),
      datasets: [{ name: 'release.csv', read: bytes(dataset) }],
    };
  };

  it('has every match, the figures of the scenarios and their page', async () => {
    const planned = await planIdentification(request('A,B\nx,p\nx,p\ny,r\ny,q\n'));
    const risks = finish(identifyRelease(planned.table, planned.datasets, planned.scenarios));
    await storeIdentification(store, risks, planned.table.records);
    const { confidential } = runKeys(IDENTIFY);
    const summaries = JSON.parse(await textOf(confidential.identification));
    expect(summaries).toEqual(risks.map(({ summary }) => summary));
    // The first record has two matches, itself among them, the second none, and each of the last two the other.
    const mean = { expectedMatchRisk: 1 / 2, trueMatchRate: 0, falseMatchRate: 1, uniqueMatches: 2 };
    expect(summaries[0]).toMatchObject({ scenario: 'neighbours', known: ['A'], synthesized: ['B'], mean });
    const rows = await rowsOf(confidential.table('identification-risk').csv);
    expect(rows.map(({ matches }) => Number(matches))).toEqual([2, 0, 1, 1]);
    expect(rows.map((row) => row.own_record_matches)).toEqual(['1', '0', '0', '0']);
    expect(await readIdentificationRisk(store, IDENTIFY, summaries)).toHaveLength(1);
    expect(await textOf(confidential.identificationReport)).toContain('neighbours');
  });

  it('is of datasets that fit the table: others are refused by the name of their file', async () => {
    await expect(planIdentification(request('A,B\nx,p\nx,nobody\ny,r\ny,q\n'))).rejects.toMatchObject({
      name: 'InvalidTableError',
      message: expect.stringMatching(/^release\.csv: /),
    });
    const broken = { ...request(table), datasets: [{ name: 'release.csv', read: () => Promise.reject(new Error('disk')) }] };
    await expect(planIdentification(broken)).rejects.toThrow(/^disk$/);
  });
});
