import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import type { Formula, TermJudgement } from './judge-terms.ts';
import { LENGTHS } from './paired-sides.ts';
import type { Made } from './two-tables.ts';

/** The length at which synthesizers of other kinds are compared, in iterations: that nearest to the default of a run. */
const COMPARED_LENGTH = LENGTHS[0];

/** Formulas that compare modes, by their heads. */
const COMPARING: Readonly<Record<string, Formula>> = { 'P + M / m': 'one mode term', 'P + M / √m': 'root of m', 'P + M': 'pooled' };

/** Numbers of datasets that the page shows of datasets of chains of their own: the others lie between. */
const SHOWN: ReadonlySet<number> = new Set([1, 5, 20]);

/** Number of datasets of the page's own table. */
const DATASETS = 5;

/**
 * The tables of docs/studies/modes.md, by name: those for which there are judgements.
 *
 * @param judgements of all tables, synthesizers, lengths and numbers of datasets
 */
export function modeTables(judgements: readonly TermJudgement[]): Record<string, string> {
  const all = judgements.filter(({ targets }) => targets === 'all');
  const own = all.filter(({ made }) => made.by === 'own');
  const rows = own.filter(({ length, datasets }) => length === COMPARED_LENGTH && SHOWN.has(datasets));
  const at = (row: TermJudgement, length: number) =>
    own.find((one) => one.name === row.name && one.datasets === row.datasets && one.length === length);
  const lengths = LENGTHS.map((length) => length.toLocaleString('en'));
  const formulas = Object.keys(COMPARING);
  // Of the page's own table: the formula between them lies between.
  const extremes = formulas.filter((head) => COMPARING[head] !== 'root of m');
  const tables = {
    'modes-paired': markdownTable(
      ['table', 'm', 'releases of either table', ...lengths],
      rows.map((row) => [...heading(row), ...LENGTHS.map((length) => worth(at(row, length)))]),
    ),
    'modes-compared': markdownTable(
      ['table', 'm', ...formulas],
      rows.map((row) => [row.name, `${row.datasets}`, ...formulas.map((head) => change(row, COMPARING[head]!))]),
    ),
    'modes-record': markdownTable(
      ['table', 'P alone', ...extremes],
      all
        .filter((one) => one.made.by === 'record' && one.length === COMPARED_LENGTH && one.datasets === DATASETS)
        .map((one) => [one.name, worth(one), ...extremes.map((head) => change(one, COMPARING[head]!))]),
    ),
    'modes-made': markdownTable(
      ['table', 'm', 'releases of either table', 'datasets', 'P alone', ...formulas, 'power of M beside P'],
      all
        .filter((one) => one.length === COMPARED_LENGTH && one.made.by !== 'own' && one.made.by !== 'record' && one.datasets > 1)
        .map((one) => [
          ...heading(one),
          inWords(one.made),
          worth(one),
          ...formulas.map((head) => change(one, COMPARING[head]!)),
          `${one.modes.slope.toFixed(2)} ± ${one.modes.se.toFixed(2)}`,
        ]),
    ),
  };
  // A table without rows keeps on the page what other runs found.
  return Object.fromEntries(Object.entries(tables).filter(([, table]) => table.split('\n').length > 2));
}

const heading = ({ name, datasets, releases }: TermJudgement) => [name, `${datasets}`, `${releases}`];

/** What the paired terms alone achieve, claim, and the power that would calibrate them. */
function worth(judgement: TermJudgement | undefined): string {
  if (!judgement) return '';
  const { millibits, paired } = judgement;
  const { achieved, claimed } = millibits['paired alone'];
  return `${achieved.toFixed(0)} / ${claimed.toFixed(0)} (${paired.slope.toFixed(2)} ± ${paired.se.toFixed(2)})`;
}

/** How much more a formula achieves than the paired terms alone, and claims. */
function change(judgement: TermJudgement | undefined, formula: Formula): string {
  if (!judgement) return '';
  const { more, claimed } = judgement.millibits[formula];
  const claims = claimed - judgement.millibits['paired alone'].claimed;
  return `${signed(more.mean)} ± ${more.se.toFixed(0)} / ${signed(claims)}`;
}

function signed(value: number): string {
  const rounded = value.toFixed(0);
  return Number(rounded) > 0 ? `+${rounded}` : rounded.replace('-0', '0');
}

function inWords(made: Made): string {
  switch (made.by) {
    case 'own':
    case 'record':
      return 'of chains of their own';
    case 'one':
      return 'of one chain';
    case 'partial':
      return `of ${made.synthesized.length === 1 ? 'one variable' : `${made.synthesized.length} variables`}`;
    case 'elsewhere': {
      const { classes, concentration } = made.settings;
      const alpha = 'value' in concentration ? `, α = ${concentration.value}` : '';
      return `made elsewhere: ${classes} classes${alpha}`;
    }
  }
}
