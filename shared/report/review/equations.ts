import { Html, html } from '../page/html.ts';

/** An equation in MathML, with what its letters are. */
export interface Equation {
  readonly of: string;
  readonly math: Html;
  readonly where: Html;
}

/** Signs with blanks between them: words and letters are identifiers, digits are numbers, everything else is an operator. */
const signs = (text: string) =>
  text
    .split(' ')
    .map((sign) => (/^\p{L}+$/u.test(sign) ? `<mi>${sign}</mi>` : /^\d+$/.test(sign) ? `<mn>${sign}</mn>` : `<mo>${sign}</mo>`))
    .join('');
const row = (...parts: string[]) => `<mrow>${parts.join('')}</mrow>`;
const below = (base: string, index: string) => `<msub>${base}${index}</msub>`;
const above = (base: string, power: string) => `<msup>${base}${power}</msup>`;
const under = (sign: string, index: string) => `<munder><mo>${sign}</mo>${index}</munder>`;
const sumOver = (index: string) => under('∑', index);
const fraction = (numerator: string, denominator: string) => `<mfrac>${numerator}${denominator}</mfrac>`;
const log2 = row(below(signs('log'), signs('2')));
/** Between two equations on a line. */
const AND = `${signs(',')}<mspace width="1em"/>`;

/** The parts are all written here: nothing of a table is in an equation. */
const equation = (of: string, parts: readonly string[], where: Html): Equation => ({
  of,
  math: new Html(`<math display="block"><mrow>${parts.join('')}</mrow></math>`),
  where,
});

const [i, x, y, t, p, q, w] = [...'ixytpqw'].map(signs) as [string, string, string, string, string, string, string];
const likelihood = (of: string) => below(signs('L'), of);
const [ofX, ofY] = [likelihood(x), likelihood(y)];
const [before, after] = [below(p, x), below(q, x)];
const truth = below(t, i);
const weight = row(signs('( w )'));

/** How attribute risk is found from the likelihoods of the candidates. */
export const ATTRIBUTE_EQUATIONS: readonly Equation[] = [
  equation(
    'Probability of a candidate after the release',
    [
      ...[after, signs('='), fraction(row(before, above(ofX, signs('s'))), row(sumOver(y), below(p, y), above(ofY, signs('s')))), AND],
      ...[ofX, signs('= P'), row(signs('( Z |'), above(signs('D'), x), signs(')'))],
    ],
    html`p is the probability before the release, Z the released datasets, D with x the table with the candidate x in the place of the record, s the slope (1 unless stated). Hu, Reiter and Wang 2014, section 3.`,
  ),
  equation(
    'Change in the intruder’s probabilities, bits',
    [sumOver(x), after, log2, fraction(after, before)],
    html`It counts every movement of the belief about the record, towards the truth or away from it.`,
  ),
  equation(
    'Gain at the truth, bits a record',
    [fraction(signs('1'), signs('n')), sumOver(i), log2, fraction(below(q, truth), below(p, truth))],
    html`One variable at a time, t the true value of record i, p its probability by the model of the other records.`,
  ),
  equation(
    'Risk for every weight of the truth beforehand',
    [
      ...[signs('R'), weight, signs('='), fraction(row(signs('w B')), row(signs('1 − w + w B'))), AND],
      ...[signs('RR'), weight, signs('='), fraction(row(signs('R'), weight), w), AND],
      ...[signs('B ='), fraction(likelihood(t), row(sumOver(row(signs('x ≠ t'))), before, ofX))],
    ],
    html`w is the weight of the truth beforehand; in the Bayes factor B the p of the other candidates add up to 1. McClure and Reiter 2012, section 4.`,
  ),
  equation(
    'Privacy loss of this release, nats',
    [under('max', x), signs('| log'), ofX, signs('− log'), likelihood(t), signs('|')],
    html`Over the candidates of a record. Epsilon of differential privacy bounds it over all tables and releases (Wang 2019).`,
  ),
];

const ratio = below(signs('r'), x);

/** How the likelihood is found where chains are simulated. */
export const LIKELIHOOD_EQUATION: Equation = equation(
  'Likelihood of a candidate, by simulation',
  [
    ...[signs('log'), ofX, signs('='), sumOver(signs('l'))],
    ...[signs('{ log E'), row(signs('['), ratio, signs('| D ,'), below(signs('Z'), signs('l')), signs(']'))],
    ...[signs('− log E'), row(signs('['), ratio, signs('| D ]')), signs('} + constant')],
  ],
  html`r is the probability of the candidate over that of the truth under the parameters of the model; expectations are over chains on the table with dataset l and on the table alone, paired.`,
);

/** What matching comes to. */
export const MATCHING_EQUATION: Equation = equation(
  'Expected match risk, records',
  [sumOver(i), fraction(below(signs('T'), i), below(signs('c'), i))],
  html`c is the number of rows that agree with what is known of record i; T is 1 where its own row is among them. Reiter & Mitra 2009; Hu and Savitsky 2018, eq. 15.`,
);

/** How far datasets can be told from the table. */
export const UTILITY_EQUATION: Equation = equation(
  'pMSE',
  [
    ...[fraction(signs('1'), signs('N')), sumOver(i)],
    above(row(signs('('), below(`<mover>${signs('e ^')}</mover>`, i), signs('− c )')), signs('2')),
  ],
  html`Rows of table and dataset together, e the fitted probability that row i is synthetic, c the share of rows that are. Woo et al. 2009; Snoke et al. 2018.`,
);
