import { describe, expect, it } from 'vitest';
import { parseAcceptanceRule } from '../../../shared/contracts/settings/acceptance-rule.ts';
import { acceptanceFigures, SUMMARY_FIGURES, suggestFigure } from '../../../shared/contracts/settings/summary-figures.ts';

describe('SUMMARY_FIGURES', () => {
  it('are what rules can name, each of them', () => {
    expect(SUMMARY_FIGURES.size).toBeGreaterThan(200);
    for (const figure of SUMMARY_FIGURES.keys()) {
      expect(parseAcceptanceRule(`${figure} <= 1000000000`, 1).path).toHaveLength(figure.split('.').length);
    }
  });

  it('have no list of bare numbers, and nothing of the rules themselves', () => {
    expect([...SUMMARY_FIGURES.keys()].filter((name) => /^acceptance|quantiles$/.test(name))).toEqual([]);
  });
});

describe('acceptanceFigures()', () => {
  it('say of no error, and of nothing without the release, that less is better', () => {
    for (const { better, figure } of acceptanceFigures()) {
      if (/Se$|Before$|^table\.|\.before\./.test(figure)) expect(better, figure).toBeNull();
    }
  });
});

describe('suggestFigure()', () => {
  it.each([
    ['attributeRisk.gainBitMean', ' (did you mean attributeRisk.gainBitsMean?)'],
    ['gainbitsmean', ' (did you mean attributeRisk.gainBitsMean?)'],
    ['utility.intervalOverlapMean', ' (did you mean utility.figures.intervalOverlapMean?)'],
    ['wealth', ''],
  ])('takes %s for%s', (path, expected) => {
    expect(suggestFigure(path)).toBe(expected);
  });
});
