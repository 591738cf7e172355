import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import type { AttackOutcome } from '../../shared/contracts/results/attack.ts';
import { rankCorrelation } from '../../shared/numeric/rank-correlation.ts';
import { attackRates } from '../../shared/report/attack/attack-rates.ts';
import type { ComparedRelease } from './releases.ts';

const percent = (share: number | null) => (share === null ? '-' : `${(100 * share).toFixed(1)} %`);
const decimals = (value: number | null) => (value === null ? '-' : value.toFixed(3));

/** What each measure says of each release, beside attribute risk. */
export function figuresTable(releases: readonly ComparedRelease[]): string {
  const line = (name: string, of: (release: ComparedRelease) => string) => [name, ...releases.map(of)];
  const outcome = (name: string, of: (release: ComparedRelease) => readonly AttackOutcome[], place = 0) =>
    line(name, (release) => {
      const one = attackRates(of(release))[place]!;
      return `${percent(one.rate)}, ${percent(one.baseline)}, ${percent(one.control)}: ${percent(one.risk)} (${percent(one.riskLow)} to ${percent(one.riskHigh)})`;
    });
  const disclosed = (release: ComparedRelease) => release.attack.disclosure[0]!.mean;
  const risk = ({ summary }: ComparedRelease) => summary.attributeRisk![0]!;
  return markdownTable(
    ['measure', ...releases.map(({ name }) => name)],
    [
      line('truth ranked first (synthrisk)', (one) => percent(risk(one).truthRankedFirstShare)),
      line('probability of the truth, mean (synthrisk)', (one) => decimals(risk(one).probabilityMean)),
      line('UiO, repU', (one) => `${percent(disclosed(one).UiO)}, ${percent(disclosed(one).repU)}`),
      line('Dorig, DiSCO', (one) => `${percent(disclosed(one).Dorig)}, ${percent(disclosed(one).DiSCO)}`),
      line('baseCAPd, DCAP, TCAP_alt, TCAP', (one) => {
        const { baseCAPd, DCAP, TCAP_alt, TCAP } = disclosed(one);
        return [baseCAPd, DCAP, TCAP_alt, TCAP].map(percent).join(', ');
      }),
      outcome('singling out, univariate', ({ attack }) => attack.singlingOut),
      outcome('singling out, multivariate', ({ attack }) => attack.singlingOut, 1),
      outcome('linkability', ({ attack }) => attack.linkability),
      outcome('inference of EDUC', ({ attack }) => attack.inference),
      line('rows equal to a record', ({ attack }) => percent(attack.nearestNeighbour.distanceToClosest.zeroShare)),
      line('closer to the table than to the control', ({ attack }) => {
        const { shareCloserThanControl, low, high } = attack.nearestNeighbour;
        return `${percent(shareCloserThanControl)} (${percent(low)} to ${percent(high)})`;
      }),
      line('sample uniques of the table, of a dataset', ({ attack }) => {
        const { sampleUniques, release } = attack.keyCounts;
        const mean = release.reduce((sum, one) => sum + one.sampleUniques, 0) / release.length;
        return `${sampleUniques}, ${mean.toFixed(0)}`;
      }),
    ],
  );
}

const column = (rows: readonly Readonly<Record<string, string>>[], name: string) => Float64Array.from(rows, (row) => Number(row[name]));

/** Scores that other tools give a record. Far from the release is little risk. */
const SCORES: readonly (readonly [text: string, column: string, sign: 1 | -1])[] = [
  ['CAP of its value', 'cap', 1],
  ['DiSCO, share of datasets', 'disclosed', 1],
  ['inferred, share of datasets', 'inferred', 1],
  ['replicated unique, share of datasets', 'replicated_unique', 1],
  ['closeness to the release', 'distance_to_closest', -1],
  ['individual risk of its keys', 'individual_risk', 1],
  ['SUDA score', 'suda_score', 1],
];

/** Rank correlations of the records' scores with their attribute risk. */
export function ranksTable(releases: readonly ComparedRelease[]): string {
  const ours = ['probability', 'privacy_loss'];
  return markdownTable(
    ['score of a record', ...releases.flatMap(({ name }) => ours.map((one) => `${name}: \`${one}\``))],
    SCORES.map(([text, name, sign]) => [
      text,
      ...releases.flatMap(({ risks, attacks }) =>
        ours.map((one) => {
          const scores = column(attacks, name).map((value) => sign * value);
          const found = rankCorrelation(column(risks, one), scores);
          return found === null ? 'all equal' : found.toFixed(2);
        }),
      ),
    ]),
  );
}

/** Records that a tool would look at, of which attribute risk says more or less than of the others. */
const FLAGS: readonly (readonly [text: string, holds: (row: Readonly<Record<string, string>>) => boolean])[] = [
  ['alone with their keys in the table', (row) => row.key_count === '1'],
  ['a SUDA score above 0', (row) => Number(row.suda_score) > 0],
  ['replicated uniques of some dataset', (row) => Number(row.replicated_unique) > 0],
  ['DiSCO in some dataset', (row) => Number(row.disclosed) > 0],
  ['DiSCO in every dataset', (row) => Number(row.disclosed) > 0.999],
  ['inferred in every dataset', (row) => Number(row.inferred) > 0.999],
  ['equal to a row of every dataset', (row) => Number(row.distance_to_closest) === 0],
];

/** Attribute risk of the records that other tools flag, and of those that they do not. */
export function flagsTable(releases: readonly ComparedRelease[]): string {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return markdownTable(
    ['records', ...releases.flatMap(({ name }) => [`${name}: flagged`, 'first, flagged', 'first, others'])],
    FLAGS.map(([text, holds]) => [
      text,
      ...releases.flatMap(({ risks, attacks }) => {
        const first = (flagged: boolean) => {
          const own = risks.filter((_, record) => holds(attacks[record]!) === flagged);
          return own.length === 0 ? '-' : percent(mean(own.map(({ rank }) => Number(Number(rank) === 1))));
        };
        return [percent(mean(attacks.map((row) => Number(holds(row))))), first(true), first(false)];
      }),
    ]),
  );
}
