import { beforeAll, describe, expect, it } from 'vitest';
import type { PublicSummary } from '../../../shared/contracts/release/public-summary.ts';
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
      probabilityTrueAfter: figure(0.46, 0.002),
      probabilityTrueAdded: { value: 0.008, error: 0.002, atMost: 0.012 },
    },
    {
      scenario: 2,
      candidates: 'one-change',
      knows: 'all records but one',
      probabilityTrueBefore: figure(0.7, 0.02),
      probabilityTrueAfter: { value: null, error: null, reason: 'noise hides it' },
      probabilityTrueAdded: { value: null, error: null, reason: 'noise hides it', atMost: 0.15 },
    },
  ],
  membershipTested: true,
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
  let page: string;
  beforeAll(async () => {
    page = await renderPublic(summary);
  });

  it('is one file that asks nothing of a network, runs nothing and escapes names', () => {
    expect(page).toMatch(/content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'"/);
    expect(page).not.toMatch(/<script|<img|src=|href="(?!#)/);
    expect(page).toContain('INCOME, &lt;b&gt;');
    expect(page).not.toContain('<b>');
  });

  it('tells figures with their errors, to the same decimal', () => {
    for (const told of ['45.2 ± 0.2 %', '46.0 ± 0.2 %', '70 ± 2 %', '0.50 ± 0.05 %', '4 ± 2 %']) {
      expect(page).toContain(`<strong>${told}</strong>`);
    }
    expect(page).toContain('not published: it is a test');
    expect(page).toContain('knows AGE, SEX and the true values of INCOME (AGE within 2, INCOME within 10 %)');
    expect(page).toContain('who has all records but one, knows how the data were made, and considers every value of INCOME');
    expect(page).toContain('ε = 2');
    expect(page).toContain('factor of at most 2.718');
  });

  it('tells what the data add, or a bound alone where noise is as large', () => {
    expect(page).toContain('<strong>0.8 ± 0.2 percentage points</strong>');
    expect(page).toContain('<strong>less than 15 percentage points</strong>');
    expect(page.match(/Probability of the true value with them/g)).toHaveLength(1);
    expect(page).not.toContain('noise hides it');
  });

  it('says of nothing that noise has carried to zero that it is zero', () => {
    for (const told of ['below 0.3 %', 'below 40 %']) expect(page).toContain(`<strong>${told}</strong>`);
    expect(page).not.toMatch(/<strong>0(\.0+)? ±/);
  });

  it('says that membership was tested, where it was, and that its figures stay confidential', async () => {
    const sentence = 'The figures of this test stay confidential';
    expect(page).toContain(sentence);
    expect(await renderPublic({ ...summary, membershipTested: false })).not.toContain(sentence);
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
  [figure(0.1, 0.05), '10 ± 5 %'],
  [figure(0.05, 0.05), 'below 20 %'],
  [figure(0, 0.002), 'below 0.6 %'],
  [figure(0, 0.5), 'below 100 %'],
])('a figure %o is written %s', (told, text) => {
  expect(publicPercent(told)).toBe(text);
});
