import { Html, html } from '../page/html.ts';

/** An equation in MathML, with what its letters are. */
export interface Equation {
  readonly of: string;
  readonly math: Html;
  readonly where: Html;
}

const identifier = (name: string) => `<mi>${name}</mi>`;
const operator = (sign: string) => `<mo>${sign}</mo>`;
const row = (...parts: string[]) => `<mrow>${parts.join('')}</mrow>`;
const below = (base: string, index: string) => `<msub>${base}${index}</msub>`;
const above = (base: string, power: string) => `<msup>${base}${power}</msup>`;
const fraction = (numerator: string, denominator: string) => `<mfrac>${numerator}${denominator}</mfrac>`;
const number = (digits: string) => `<mn>${digits}</mn>`;
const sumOver = (index: string) => `<munder><mo>∑</mo>${index}</munder>`;
const log2 = row(below(identifier('log'), number('2')));

/** The parts are all written here: nothing of a table is in an equation. */
const equation = (of: string, parts: readonly string[], where: Html): Equation => ({
  of,
  math: new Html(`<math display="block"><mrow>${parts.join('')}</mrow></math>`),
  where,
});

const [x, t, p, q, w, b] = [...'xtpqwB'].map(identifier) as [string, string, string, string, string, string];
const likelihood = (of: string) => below(identifier('L'), of);

/** How attribute risk is found from the likelihoods of the candidates. */
export const ATTRIBUTE_EQUATIONS: readonly Equation[] = [
  equation(
    'Probability of a candidate after the release',
    [
      below(q, x),
      operator('='),
      fraction(
        row(below(p, x), above(likelihood(x), identifier('s'))),
        row(sumOver(identifier('y')), below(p, identifier('y')), above(likelihood(identifier('y')), identifier('s'))),
      ),
      operator(','),
      `<mspace width="1em"/>`,
      likelihood(x),
      operator('='),
      identifier('P'),
      row(operator('('), identifier('Z'), operator('|'), above(identifier('D'), x), operator(')')),
    ],
    html`p is the probability before the release, Z the released datasets, D with x the table with the candidate x in the place of the record, s the slope (1 unless stated). 000, section 3.`,
  ),
  equation(
    'Shift of belief, bits',
    [sumOver(x), below(q, x), log2, fraction(below(q, x), below(p, x))],
    html`It counts every movement of the belief about the record, towards the truth or away from it.`,
  ),
  equation(
    'Gain at the truth, bits a record',
    [
      fraction(number('1'), identifier('n')),
      sumOver(identifier('i')),
      log2,
      fraction(below(q, below(t, identifier('i'))), below(p, below(t, identifier('i')))),
    ],
    html`One variable at a time, t the true value of record i, p what the model tells of it from the other records.`,
  ),
  equation(
    'Risk for every weight of the truth beforehand',
    [
      identifier('R'),
      row(operator('('), w, operator(')')),
      operator('='),
      fraction(row(w, b), row(number('1'), operator('−'), w, operator('+'), w, b)),
      operator(','),
      `<mspace width="1em"/>`,
      identifier('RR'),
      row(operator('('), w, operator(')')),
      operator('='),
      fraction(row(identifier('R'), row(operator('('), w, operator(')'))), w),
      operator(','),
      `<mspace width="1em"/>`,
      b,
      operator('='),
      fraction(likelihood(t), row(`<munder><mo>∑</mo>${row(x, operator('≠'), t)}</munder>`, below(p, x), likelihood(x))),
    ],
    html`w is the weight of the truth beforehand; in the Bayes factor B the p of the other candidates add up to 1. 003, section 4.`,
  ),
  equation(
    'Privacy loss of this release, nats',
    [
      `<munder><mo>max</mo>${x}</munder>`,
      operator('|'),
      identifier('log'),
      likelihood(x),
      operator('−'),
      identifier('log'),
      likelihood(t),
      operator('|'),
    ],
    html`Over the candidates of a record. Epsilon of differential privacy bounds it over all tables and releases (Wang 2019).`,
  ),
];

/** How the likelihood is found where chains are simulated. */
export const LIKELIHOOD_EQUATION: Equation = equation(
  'Likelihood of a candidate, by simulation',
  [
    identifier('log'),
    likelihood(x),
    operator('='),
    `<munder><mo>∑</mo><mi>l</mi></munder>`,
    operator('{'),
    identifier('log'),
    identifier('E'),
    row(
      operator('['),
      below(identifier('r'), x),
      operator('|'),
      identifier('D'),
      operator(','),
      below(identifier('Z'), identifier('l')),
      operator(']'),
    ),
    operator('−'),
    identifier('log'),
    identifier('E'),
    row(operator('['), below(identifier('r'), x), operator('|'), identifier('D'), operator(']')),
    operator('}'),
    operator('+'),
    identifier('constant'),
  ],
  html`r is the probability of the candidate over that of the truth under the parameters of the model; expectations are over chains on the table with dataset l and on the table alone, paired.`,
);

/** What matching comes to. */
export const MATCHING_EQUATION: Equation = equation(
  'Expected match risk, records',
  [sumOver(identifier('i')), fraction(below(identifier('T'), identifier('i')), below(identifier('c'), identifier('i')))],
  html`c is the number of rows that agree with what is known of record i; T is 1 where its own row is among them. Reiter & Mitra 2009; 001, eq. 15.`,
);

/** How far datasets can be told from the table. */
export const UTILITY_EQUATION: Equation = equation(
  'pMSE',
  [
    fraction(number('1'), identifier('N')),
    sumOver(identifier('i')),
    above(
      row(operator('('), below(`<mover><mi>e</mi><mo>^</mo></mover>`, identifier('i')), operator('−'), identifier('c'), operator(')')),
      number('2'),
    ),
  ],
  html`Rows of table and dataset together, e the fitted probability that row i is synthetic, c the share of rows that are. Woo et al. 2009; Snoke et al. 2018.`,
);
