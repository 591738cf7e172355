/** A regression as it was written: `INCOME ~ AGE * SEX`, `DIS == 1 ~ SEX + MIG`. */
export interface RegressionFormula {
  readonly text: string;
  readonly response: string;
  /** The category whose probability is modelled; null where the response is taken as it is. */
  readonly category: string | null;
  /** Names of the variables of each term, those of an interaction together; null for all variables but the response. */
  readonly terms: readonly (readonly string[])[] | null;
}

/** Words of a formula: names between back-ticks, texts between quotes, `==`, other signs, and all else. */
const WORDS = /\s*(?:`([^`]+)`|"([^"]*)"|'([^']*)'|(==|[~+*:()^-])|([^\s`"'~+*:()^=-]+))/y;

type Word = { readonly kind: 'name' | 'text' | 'sign' | 'word'; readonly text: string };

function wordsOf(text: string): Word[] | null {
  const words: Word[] = [];
  const trimmed = text.trimEnd();
  WORDS.lastIndex = 0;
  while (WORDS.lastIndex < trimmed.length) {
    const match = WORDS.exec(trimmed);
    if (match === null) return null;
    const [, name, double, single, sign, word] = match;
    if (name !== undefined) words.push({ kind: 'name', text: name });
    else if (double !== undefined || single !== undefined) words.push({ kind: 'text', text: (double ?? single)! });
    else if (sign !== undefined) words.push({ kind: 'sign', text: sign });
    else words.push({ kind: 'word', text: word! });
  }
  return words;
}

const isName = ({ kind }: Word) => kind === 'name' || kind === 'word';
const isSign = (word: Word | undefined, sign: string) => word?.kind === 'sign' && word.text === sign;

/**
 * Reads a formula as R writes it, of what is offered: a variable, or a category of one (`DIS == 1`), before the tilde;
 * after it variables with `+` between them, `A:B` for the product of two or more, `A * B` for these with the product, and
 * `.` alone for all other variables. A name with other characters stands between back-ticks, a category between quotes.
 *
 * @returns what is wrong with it, in words that repeat nothing of it, where it is none
 */
export function parseFormula(text: string): RegressionFormula | { readonly wrong: string } {
  const words = wordsOf(text);
  if (words === null) return { wrong: 'has a character that no formula has outside of back-ticks and quotes' };
  const tilde = words.findIndex((word) => isSign(word, '~'));
  if (tilde < 0) return { wrong: 'has no tilde between response and terms' };
  const [response, equals, category, ...more] = words.slice(0, tilde);
  const isCategory = equals === undefined || (isSign(equals, '==') && category !== undefined && category.kind !== 'sign');
  if (response === undefined || !isName(response) || more.length > 0 || !isCategory) {
    return { wrong: 'has another response than a variable, or a variable, == and a category' };
  }
  const right = words.slice(tilde + 1);
  const all = right.length === 1 && right[0]!.kind === 'word' && right[0]!.text === '.';
  const terms = all ? null : parseTerms(right);
  if (terms !== null && 'wrong' in terms) return terms;
  return { text: text.trim(), response: response.text, category: category?.text ?? null, terms };
}

function parseTerms(words: readonly Word[]): string[][] | { readonly wrong: string } {
  const signs = words.filter(({ kind }) => kind === 'sign').map((word) => word.text);
  if (signs.some((sign) => !['+', '*', ':'].includes(sign))) {
    return { wrong: 'has another sign among its terms than + : and * (the intercept always stands)' };
  }
  const terms = new Map<string, string[]>();
  const add = (term: string[]) => {
    const key = [...term].sort().join('\0');
    if (!terms.has(key)) terms.set(key, term);
  };
  // Variables and signs take turns, beginning and ending with a variable.
  if (words.length % 2 === 0 || words.some((word, i) => (i % 2 === 0 ? !isName(word) : word.kind !== 'sign'))) {
    return { wrong: 'has no variable where one is expected among its terms' };
  }
  for (let from = 0; from < words.length; ) {
    let to = from + 1;
    while (to < words.length && !isSign(words[to], '+')) to += 2;
    // A * B:C is A, B:C and their product.
    let factors: string[][] = [[words[from]!.text]];
    for (let i = from + 1; i < to; i += 2) {
      const name = words[i + 1]!.text;
      if (isSign(words[i], ':')) factors[factors.length - 1]!.push(name);
      else factors.push([name]);
    }
    factors = factors.map((factor) => [...new Set(factor)]);
    const products: string[][] = [];
    for (const factor of factors) {
      const before = products.map((one) => [...new Set([...one, ...factor])]);
      products.push(factor, ...before);
    }
    for (const product of products) add(product);
    from = to + 1;
  }
  return [...terms.values()].sort((a, b) => a.length - b.length);
}
