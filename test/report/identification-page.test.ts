import { describe, expect, it } from 'vitest';
import type { AppliedIdentificationRisk, IdentificationRiskSummary } from '../../shared/contracts/results/identification.ts';
import { recordRiskChart, scenariosChart, sweepChart } from '../../shared/report/charts/match-risk-charts.ts';
import { renderIdentification } from '../../shared/report/render-identification.ts';
import { identificationSection } from '../../shared/report/sections/identification-section.ts';
import { sweepCaution } from '../../shared/report/words/identification-in-words.ts';
import { wordsOf } from './words-of.ts';

const DATASETS = [40, 42, 44, 46, 48, 50];

/** A release of six datasets in which the radius of income was swept. */
function swept(changes: Partial<AppliedIdentificationRisk> = {}): AppliedIdentificationRisk {
  const figures = (expectedMatchRisk: number) => ({
    ...{ expectedMatchRisk, trueMatchRate: 0.012, falseMatchRate: 0.84, uniqueMatches: 460 },
  });
  const point = (relative: number, factor: number) => ({
    radii: { AGE: { absolute: 2 }, INCOME: { relative } },
    expectedMatchRisk: DATASETS.map((risk) => factor * risk),
    expectedMatchRiskMean: factor * 45,
  });
  return {
    scenario: 'income <synthesized>',
    known: ['SEX', 'AGE'],
    synthesized: ['INCOME'],
    applies: true,
    records: 5_571,
    shape: 'box',
    radii: { AGE: { absolute: 2 }, INCOME: { relative: 0.025 } },
    datasets: DATASETS.map(figures),
    mean: figures(45),
    standardDeviation: { ...figures(3.74), trueMatchRate: 0.001, falseMatchRate: 0.01, uniqueMatches: 20.2 },
    minimum: figures(40),
    maximum: figures(50),
    recordRisks: [
      { above: null, upTo: 0, records: 5_000 },
      { above: 0, upTo: 0.1, records: 471 },
      { above: 0.1, upTo: 1, records: 100 },
    ],
    sweep: { variables: ['INCOME'], jointly: false, points: [point(0.01, 0.5), point(0.025, 1), point(0.1, 0.75)], maximum: 1 },
    ...changes,
  };
}

const FULL: IdentificationRiskSummary = {
  scenario: 'everything',
  known: [],
  synthesized: ['SEX'],
  applies: false,
  reason: 'no row belongs to a record.',
};

const RUN = { version: '0.1.0', runId: 'b1946ac92492d234' };
describe('the page of identification risk', () => {
  it('says the risk, its spread over datasets, and what was known', async () => {
    const words = wordsOf(await renderIdentification([swept()], RUN));
    expect(words).toContain('would identify about 45 of 5,571 records (0.8 %) in a dataset.');
    expect(words).toContain('45.0 ± 3.7 40 to 50 0.0120 ± 0.0010 0.840 ± 0.010 460 ± 20');
    expect(words).toContain('AGE within 2, INCOME within 2.5 %, in a box: each by itself');
    expect(words).toContain('5,000 of 5,571 records have no risk at all');
    expect(words).toContain('an order among records that share all kept values cannot be seen');
    expect(words).toMatch(/run b1946ac92492d234 ?$/);
  });

  it('asks nothing of a network, escapes names, and has the same bytes for the same input', async () => {
    const page = await renderIdentification([swept(), swept({ scenario: 'other' }), FULL], RUN);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|NaN|Infinity|\[object|<synthesized>/);
    expect([...page.matchAll(/<svg role="img" aria-label="[^"]{40,}"/g)]).toHaveLength(5);
    expect(await renderIdentification([swept(), swept({ scenario: 'other' }), FULL], RUN)).toBe(page);
  });

  it('says why a scenario does not apply', async () => {
    const { body } = await identificationSection([FULL]);
    expect(wordsOf(body.markup).trim()).toBe('everything does not apply: no row belongs to a record.');
  });

  it('calls a rate undefined that no dataset has', async () => {
    const { falseMatchRate: _, ...others } = swept().mean;
    const mean = { ...others, falseMatchRate: null, falseMatchRateReason: 'no record has a unique match' };
    const { body } = await identificationSection([swept({ mean, standardDeviation: null })]);
    expect(wordsOf(body.markup)).toContain('undefined');
  });

  it('lists the combinations of radii of most risk where they were swept jointly', async () => {
    const points = [0.1, 0.2].flatMap((AGE) =>
      [0.1, 0.2].map((INCOME) => ({
        radii: { AGE: { relative: AGE }, INCOME: { relative: INCOME } },
        expectedMatchRisk: [AGE + 2 * INCOME],
        expectedMatchRiskMean: AGE + 2 * INCOME,
      })),
    );
    const sweep = { variables: ['AGE', 'INCOME'], jointly: true, points, maximum: 3 };
    const { body } = await identificationSection([swept({ sweep })]);
    expect(wordsOf(body.markup)).toContain('0.600 20 % 20 % 0.500 10 % 20 % 0.400 20 % 10 % 0.300 10 % 10 %');
    expect(wordsOf(body.markup)).toContain('at an end of those tried for AGE, INCOME');
  });
});

describe('the charts of identification risk', () => {
  it('tell in words what they show', () => {
    const risk = swept();
    expect(sweepChart(risk, risk.sweep!).label).toContain('The mean is largest, 45, at 2.5 %.');
    expect(scenariosChart([risk]).label).toContain('income <synthesized> 45');
    expect(recordRiskChart(risk).label).toContain('5,000 have no risk');
  });
});

describe('sweepCaution()', () => {
  it('speaks where the radius of most risk is the least or the largest that was tried', () => {
    const { sweep } = swept();
    expect(sweepCaution(sweep!)).toBeNull();
    expect(sweepCaution({ ...sweep!, maximum: 0 })).toContain('for INCOME');
    expect(sweepCaution({ ...sweep!, maximum: 2 })).toContain('for INCOME');
  });
});
