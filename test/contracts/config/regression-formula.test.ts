import { describe, expect, it } from 'vitest';
import { parseFormula } from '../../../shared/contracts/config/regression-formula.ts';

const termsOf = (text: string) => {
  const parsed = parseFormula(text);
  if ('wrong' in parsed) throw new Error(parsed.wrong);
  return parsed.terms?.map((term) => term.join(':')) ?? null;
};

describe('parseFormula()', () => {
  it('reads a variable, or a category of one, as the response', () => {
    expect(parseFormula('INCOME ~ AGE')).toMatchObject({ response: 'INCOME', category: null });
    expect(parseFormula(' DIS == 1 ~ SEX ')).toMatchObject({ text: 'DIS == 1 ~ SEX', response: 'DIS', category: '1' });
    expect(parseFormula('`a b`=="[18,24]"~`c+d`')).toMatchObject({ response: 'a b', category: '[18,24]', terms: [['c+d']] });
    expect(parseFormula("ÉTAT == '~' ~ x.1")).toMatchObject({ category: '~', terms: [['x.1']] });
  });

  it.each([
    ['y ~ A + B', ['A', 'B']],
    ['y ~ A * B', ['A', 'B', 'A:B']],
    ['y ~ A:B + A + B', ['A', 'B', 'A:B']],
    ['y ~ A * B * C', ['A', 'B', 'C', 'A:B', 'A:C', 'B:C', 'A:B:C']],
    ['y ~ A + B * A', ['A', 'B', 'B:A']],
    ['y ~ A + A', ['A']],
    ['y ~ A*B:C', ['A', 'B:C', 'A:B:C']],
  ])('reads the terms of %s', (text, terms) => {
    expect(new Set(termsOf(text))).toEqual(new Set(terms));
  });

  it('reads a dot as all other variables', () => {
    expect(termsOf('y ~ .')).toBeNull();
  });

  it.each([
    'y',
    '~ A',
    'y ~',
    'y ~ A +',
    'y ~ + A',
    'y ~ A B',
    'y ~ A - 1',
    'y ~ A ^ 2',
    'y ~ (A + B)',
    'y ~ A ~ B',
    'y + z ~ A',
    'y == ~ A',
    'y == 1 == 2 ~ A',
    'y = 1 ~ A',
    '"y" ~ A',
    'y ~ "A"',
    'y ~ `A',
  ])('says what is wrong with %s, and repeats nothing of it', (text) => {
    const parsed = parseFormula(text);
    expect(parsed).toHaveProperty('wrong');
    expect((parsed as { wrong: string }).wrong).not.toMatch(/\b[yAB]\b/);
  });
});
