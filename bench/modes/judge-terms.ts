import { compositeSlopes, labelInformation } from './composite-slopes.ts';
import { LENGTHS } from './paired-sides.ts';
import { datasetsOfChain, type Made, type TwoTables } from './two-tables.ts';

/** Numbers of datasets that are taken together as one release. */
const RELEASES = [1, 2, 5, 10, 20] as const;

/** Pairs of releases from which on their sums are enough for a power. */
const MANY = 20;

/** How often the mode term counts, by name. */
const FORMULAS = {
  'paired alone': () => 0,
  'one mode term': (datasets: number) => 1 / datasets,
  'root of m': (datasets: number) => 1 / Math.sqrt(datasets),
  pooled: () => 1,
} as const;

/** Name of a formula. */
export type Formula = keyof typeof FORMULAS;

/** What the terms of an estimator are worth, for one length of the paired chains and one number of datasets. */
export interface TermJudgement {
  readonly name: string;
  readonly made: Made;
  readonly burnIn: number;
  readonly length: number;
  readonly datasets: number;
  readonly releases: number;
  readonly targets: 'typical' | 'uniform' | 'all';
  /** Power of the paired terms that is calibrated; with the mode terms beside it, power of each. 1 = as it is. */
  readonly paired: { readonly slope: number; readonly se: number };
  readonly modes: { readonly slope: number; readonly se: number };
  /**
   * Power of the mode terms of all targets together: an observation a release, and an intercept. Targets that pull chains
   * the same way lend each other power in `modes`, and none here. Null for fewer than MANY pairs of releases.
   */
  readonly modesTogether: { readonly slope: number; readonly se: number } | null;
  /** Thousandths of a bit a target, by formula. */
  readonly millibits: Readonly<Record<Formula, Millibits>>;
}

/** What a formula is worth, in thousandths of a bit a target. */
export interface Millibits {
  readonly achieved: number;
  readonly claimed: number;
  /** How much more it achieves than the paired terms alone, on the same targets and releases. */
  readonly more: { readonly mean: number; readonly se: number };
}

/**
 * Judges the terms by how well they show of which table datasets are. Mode terms compare the table-alone side of a
 * dataset with the mean over chains of the first table, those of the release left out. Releases are made of datasets of
 * own chains, or of the first ones of each chain that makes several.
 *
 * @param found pairs of tables made from one table with one burn-in, by one synthesizer; lengths are judged by those that
 * have them
 * @returns a judgement for every length and number of datasets for which there are two releases of either table, or four where
 * each target has a table of its own
 */
export function judgeTerms(found: readonly TwoTables[]): TermJudgement[] {
  const { name, made, burnIn } = found[0]!;
  return LENGTHS.flatMap((length, l) =>
    RELEASES.flatMap((datasets) =>
      (['all', 'typical', 'uniform'] as const).flatMap((targets) => {
        const reached = found.filter(({ lengths }) => l < lengths.length);
        const pairs = reached.flatMap((tables) => releasePairs(tables, l, datasets, targets));
        if (pairs.length < (made.by === 'record' ? 4 : 2)) return [];
        const releases = pairs.length;
        return { name, made, burnIn, length, datasets, releases, targets, ...judgePairs(pairs, datasets, made) };
      }),
    ),
  );
}

/** What the terms say of each target from a release of one of the tables. */
interface Release {
  readonly paired: Float64Array;
  readonly mode: Float64Array;
  /** Of which table it is: 1 for the second. */
  readonly label: 1 | -1;
}

/** Pairs of releases, one of either table. */
function releasePairs(
  { made, chains, lengths, typical, logMeans }: TwoTables,
  length: number,
  datasets: number,
  targets: TermJudgement['targets'],
): Release[][] {
  const ofChain = datasetsOfChain(made);
  const ofTable = chains * ofChain;
  // Own chains are put together; of a chain that makes several datasets the first ones are taken.
  const stride = ofChain === 1 ? datasets : ofChain;
  const enough = made.by === 'elsewhere' || stride < ofTable;
  const releases = enough && stride >= datasets ? Math.floor(ofTable / stride) : 0;
  const members = typical.flatMap((is, t) => (targets === 'all' || is === (targets === 'typical') ? [t] : []));
  const block = (index: number) => {
    const from = (index * lengths.length + length) * typical.length;
    return Float64Array.from(members, (t) => logMeans[from + t]!);
  };
  const side = (table: number, dataset: number, which: 0 | 1) => block((table * ofTable + dataset) * 2 + which);
  const base = Array.from(
    { length: made.by === 'elsewhere' ? logMeans.length / (lengths.length * typical.length) - 4 * ofTable : ofTable },
    (_, c) => (made.by === 'elsewhere' ? block(4 * ofTable + c) : side(0, c, 1)).map(Math.exp),
  );
  return Array.from({ length: releases }, (_, release) => {
    const from = release * stride;
    // Chains of the first table made its release, and say nothing of it; as many are left out for the second's.
    const others = base.filter((__, c) => made.by === 'elsewhere' || c < from || c >= from + stride);
    const logBase = members.map((__, i) => Math.log(others.reduce((sum, means) => sum + means[i]!, 0) / others.length));
    return [0, 1].map((table): Release => {
      const paired = new Float64Array(members.length);
      const mode = new Float64Array(members.length);
      for (let d = from; d < from + datasets; d++) {
        const [stacked, alone] = [side(table, d, 0), side(table, d, 1)];
        for (let i = 0; i < members.length; i++) {
          paired[i]! += stacked[i]! - alone[i]!;
          mode[i]! += alone[i]! - logBase[i]!;
        }
      }
      return { paired, mode, label: table === 0 ? -1 : 1 };
    });
  });
}

function judgePairs(pairs: readonly (readonly Release[])[], datasets: number, made: Made) {
  const slopes = (terms: (release: Release) => Float64Array[]) =>
    compositeSlopes(pairs.map((pair) => pair.map((release) => ({ terms: terms(release), label: release.label }))));
  const alone = slopes(({ paired }) => [paired]);
  const both = slopes(({ paired, mode }) => [paired, mode]);
  const sum = (values: Float64Array) => Float64Array.of(values.reduce((total, value) => total + value, 0));
  // Targets of tables of their own say nothing together: each was altered by itself.
  const together = pairs.length >= MANY && made.by !== 'record' ? slopes(({ mode }) => [sum(mode), Float64Array.of(1)]) : null;
  const informationOf = (formula: Formula) =>
    pairs.map((pair) =>
      labelInformation(
        pair.map(({ paired, mode, label }) => ({
          logOdds: paired.map((value, i) => value + FORMULAS[formula](datasets) * mode[i]!),
          label,
        })),
      ),
    );
  const least = informationOf('paired alone');
  const millibits = (formula: Formula): Millibits => {
    const own = informationOf(formula);
    return {
      achieved: 1000 * meanAndError(own.map(({ achieved }) => achieved)).mean,
      claimed: 1000 * meanAndError(own.map(({ claimed }) => claimed)).mean,
      more: meanAndError(own.map(({ achieved }, pair) => 1000 * (achieved - least[pair]!.achieved))),
    };
  };
  return {
    paired: { slope: alone.slopes[0]!, se: alone.errors[0]! },
    modes: { slope: both.slopes[1]!, se: both.errors[1]! },
    modesTogether: together && { slope: together.slopes[0]!, se: together.errors[0]! },
    millibits: {
      'paired alone': millibits('paired alone'),
      'one mode term': millibits('one mode term'),
      'root of m': millibits('root of m'),
      pooled: millibits('pooled'),
    },
  };
}

/** The mean of values of pairs, and its standard error. */
function meanAndError(values: readonly number[]): { mean: number; se: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, se: Math.sqrt(squares / (values.length - 1) / values.length) };
}
