import { describe, expect, it } from 'vitest';
import type { PublicSummary } from '../../../shared/contracts/results/public-summary.ts';
import { publicPercent } from '../../../shared/report/public/figures-table.ts';
import { renderPublic } from '../../../shared/report/public/render-public.ts';

const figure = (value: number, error: number) => ({ value, error });

const summary: PublicSummary = {
  version: '1.2.3',
  table: { records: 7014, variables: 9 },
  model: { name: 'dirichlet-multinomial', epsilon: 2 },
  synthesis: { datasets: 20, kind: 'partial', synthesized: ['INCOME', '<b>'] },
  attributeRisk: [
    {
      scenario: 1,
      candidates: 'unknown: INCOME',
      knows: 'all records but one',
      probabilityTrueBefore: figure(0.452, 0.002),
      probabilityTrueAfter: figure(0.46, 0.01),
    },
  ],
  identificationRisk: [
    {
      known: ['AGE', 'SEX'],
      synthesized: ['INCOME'],
      radii: { AGE: { absolute: 2 }, INCOME: { relative: 0.1 } },
      expectedMatchShare: figure(0.005, 0.0005),
      trueMatchRate: { value: null, error: null, reason: 'it is a test' },
    },
  ],
  exactDisclosureShare: figure(0, 0.001),
  oneWayTotalVariation: figure(0.04, 0.02),
  twoWayTotalVariation: figure(0.1, 0.1),
  noise: { numbers: 12, nats: 1 },
};

describe('the page that anybody may read', () => {
  const page = renderPublic(summary);

  it('is one file that asks nothing of a network, runs nothing and escapes names', () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(page).not.toMatch(/<script|<img|src=|href="(?!#)/);
    expect(page).toContain('INCOME, &lt;b&gt;');
    expect(page).not.toContain('<b>');
  });

  it('tells figures with their errors, to the same decimal', () => {
    for (const told of ['45.2 ± 0.2 %', '46 ± 1 %', '0.50 ± 0.05 %', '0.0 ± 0.1 %', '4 ± 2 %', '10 ± 10 %']) {
      expect(page).toContain(`<strong>${told}</strong>`);
    }
    expect(page).toContain('not told: it is a test');
    expect(page).toContain('knows AGE, SEX and the true values of INCOME (AGE within 2, INCOME within 10 %)');
    expect(page).toContain('ε = 2');
    expect(page).toContain('factor of at most 2.718');
  });

  it('has no banner of confidentiality, no run and no seed', () => {
    expect(page).not.toMatch(/class="confidential"|seed/);
    expect(page).toContain('<footer>\n<p>synthrisk 1.2.3</p>');
  });
});

it.each([
  [figure(0.45, 0.05), '45 ± 5 %'],
  [figure(0.0625, 0.0005), '6.25 ± 0.05 %'],
  [figure(0.3, 0.1), '30 ± 10 %'],
])('a figure %o is written %s', (told, text) => {
  expect(publicPercent(told)).toBe(text);
});
