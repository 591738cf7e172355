import { type Content, element, valueElement } from './elements.ts';
import type { NumberColumns } from './record-data.ts';
import { at, numberAt, type Records } from './records.ts';
import { shown, shownEstimate, shownFigure, shownRank } from './words.ts';

/** A table in the view of a row; it scrolls by itself where it is wide. */
export function table(id: string, caption: string, heads: readonly string[], rows: readonly HTMLElement[]): HTMLElement {
  return element(
    'div',
    { class: 'table-scroll', role: 'region', 'aria-labelledby': id, tabindex: '0' },
    element(
      'table',
      {},
      element('caption', { id }, caption),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          heads.map((head) => element('th', { scope: 'col' }, head)),
        ),
      ),
      element('tbody', {}, rows),
    ),
  );
}

const row = (head: Content, cells: readonly Content[], name = '') =>
  element(
    'tr',
    { class: name === '' ? false : name },
    element('th', { scope: 'row' }, head),
    cells.map((cell) => element('td', {}, cell)),
  );

const interval = (columns: NumberColumns, place: number) =>
  `${shownRank(numberAt(columns, 'rank', place))} (${shownRank(numberAt(columns, 'rank_low', place))} to ${shownRank(numberAt(columns, 'rank_high', place))})`;

/** The likeliest candidates, with the truth where it is not among them. */
export function candidatesTable(records: Records, of: number): HTMLElement | null {
  const { candidates, variables } = records.data;
  const figure = (name: string) => records.figure(name, of);
  if (candidates === null) return null;
  const truth = 'Its own values: the truth';
  const own = candidates.candidates[of]!;
  const rows = own.map((candidate, i) => {
    const changes = candidates.changes[candidate]!;
    const before = at(candidates.before[of]!, i);
    const isTruth = changes.length === 0;
    // The truth has an error, and others have none that is kept.
    const after = isTruth ? shownEstimate(figure('probability'), figure('probability_se')) : shownFigure(candidates.after[of]![i]!);
    const head = isTruth
      ? [element('strong', {}, truth)]
      : changes.map(([variable, value], c) => [c === 0 ? '' : '; ', `${variables[variable]!.name} = `, element('bdi', {}, value)]);
    return row(head, [shown(i + 1), shownFigure(before), after], isTruth ? 'truth' : '');
  });
  if (!own.some((candidate) => candidates.changes[candidate]!.length === 0)) {
    const after = shownEstimate(figure('probability'), figure('probability_se'));
    const cells = [shownRank(figure('rank')), shownFigure(figure('prior_probability')), after];
    rows.push(row(element('strong', {}, truth), cells, 'truth'));
  }
  const all = figure('candidates') ?? own.length;
  const caption =
    own.length < all ? `The ${shown(own.length)} likeliest of ${shown(all)} candidates, and the truth` : `All ${shown(all)} candidates`;
  return table('record-candidates', caption, ['Candidate', 'Place', 'Before', 'After'], rows);
}

/** What is known of each variable by itself. */
export function valuesTable(records: Records, of: number): HTMLElement | null {
  const own = new Map(records.valuesOf(of).map(({ name, value }) => [name, value]));
  const rows = records.data.values.flatMap(({ variable, texts, columns }) => {
    const figure = (name: string) => numberAt(columns, name, of);
    const after = figure('probability_after');
    if (after === null) return [];
    const guess = (name: string) => element('bdi', {}, texts[figure(name)!]!);
    const given = figure('rank_before')! > 1 && figure('rank_after') === 1 && after > 0.5;
    return [
      row(
        own.has(variable) ? [`${variable} = `, valueElement(own.get(variable)!)] : variable,
        [
          shownFigure(figure('probability_before')),
          shownEstimate(after, figure('probability_se')),
          `${shownRank(figure('rank_before'))} → ${shownRank(figure('rank_after'))}`,
          guess('first_guess_before'),
          [guess('first_guess_after'), given ? ' (newly disclosed)' : ''],
        ],
        given ? 'given-away' : '',
      ),
    ];
  });
  if (rows.length === 0) return null;
  const heads = [
    'Variable and true value',
    'Probability before',
    'After',
    'Rank before → after',
    'First guess before',
    'First guess after',
  ];
  return table('record-values', 'The true value of each variable, all others known', heads, rows);
}

/** What other intruders get. */
export function scenariosTable(records: Records, of: number): HTMLElement | null {
  const { scenarios } = records.data;
  if (scenarios.length === 0) return null;
  const rows = scenarios.map(({ scenario, columns }) => {
    const figure = (name: string) => numberAt(columns, name, of);
    if (figure('probability') === null) {
      return row(scenario, ['–', 'has all of its records', '–', '–']);
    }
    return row(scenario, [
      shownFigure(figure('prior_probability')),
      shownEstimate(figure('probability'), figure('probability_se')),
      interval(columns, of),
      shown(figure('candidates')),
    ]);
  });
  const heads = ['Intruder', 'Before', 'Probability of the truth', 'Rank (90 %)', 'Candidates'];
  return table('record-scenarios', 'Other intruders', heads, rows);
}

/** Matches in every dataset. */
export function matchesTable(records: Records, of: number): HTMLElement | null {
  const { matches } = records.data;
  if (matches.length === 0) return null;
  const rows = matches.map(({ scenario, matches: counts, own }) => {
    const cells = counts[of]!.map((count, l) => {
      const found = own[of]![l]! > 0;
      return `${shown(count)}${found ? ', own row among them' : ''}`;
    });
    const risk = counts[of]!.reduce((sum, count, l) => sum + (own[of]![l]! > 0 ? own[of]![l]! / count : 0), 0);
    return row(scenario, [...cells, shown(Number((risk / cells.length).toPrecision(3)))]);
  });
  const datasets = matches[0]!.matches[of]!.map((_, l) => `Dataset ${shown(l + 1)}`);
  return table('record-matches', 'Rows that match', ['Scenario', ...datasets, 'Mean risk T/c'], rows);
}
