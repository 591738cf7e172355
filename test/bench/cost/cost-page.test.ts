import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { costPage } from '../../../bench/cost/cost-page.ts';
import { studiedEstimate, studiedWork } from '../../../bench/cost/cost-study.ts';
import { CLOUD_PRICES, PRICES_DATE } from '../../../shared/contracts/cloud/cloud-prices.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');
const page = read('docs/explanation/cost.md');

describe('docs/explanation/cost.md', () => {
  it('holds the tables that the model gives (npm run bench:cost writes them)', () => {
    expect(costPage(page)).toBe(page);
  });

  it('shows the figure that is drawn beside them', () => {
    // Its bytes are not compared: the charts' own mathematics differs in last digits between versions of Node.
    expect(page).toContain('(../images/cost.svg)');
    expect(read('docs/images/cost.svg')).toMatch(/^<svg /);
  });

  it('lists every price with its date', () => {
    expect(page).toContain(PRICES_DATE);
    for (const price of Object.values(CLOUD_PRICES)) {
      const digits = price.toFixed(10).replace(/\.?0+$/, '');
      expect(page).toMatch(new RegExp(`\\$${digits.replace('.', '\\.')}(?![\\d.]*\\d)`));
    }
  });
});

describe('the studied work', () => {
  it('is that of an evaluation with default settings', () => {
    const { draws, phases, storedBytes } = studiedWork(1000);
    // 32 base chains, which store draws half-way through burn-in as well, and 5 x 24 pairs: two objects of each, and 5,440 draws of
    // 61 x 40 numbers and 60 x 40 counts.
    expect(draws.objects).toBe(2 * (2 * 32 + 2 * 5 * 24));
    expect(draws.bytes).toBe(5_440 * (61 * 40 * 8 + 60 * 40 * 4));
    // A byte for the class of each combination beside them.
    expect(storedBytes).toBe(draws.bytes + 5_440 * 1000);
    expect(phases.map(({ tasks }) => tasks)).toEqual([32, 5, 120]);
  });

  it('costs more the larger it is', () => {
    const dollars = [1e3, 1e4, 1e5, 1e6, 1e7].map((combinations) => studiedEstimate(combinations).dollars);
    expect(dollars).toEqual(dollars.toSorted((a, b) => a - b));
  });
});
