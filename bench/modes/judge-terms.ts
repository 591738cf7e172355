import { compositeSlopes, labelInformation } from './composite-slopes.ts';
import { LENGTHS, type TwoTables } from './two-tables.ts';

/** Numbers of datasets that are taken together as one release. */
const RELEASES = [1, 2, 5, 10, 20] as const;

/** How often the mode term counts, by name. */
const FORMULAS: Readonly<Record<string, (datasets: number) => number>> = {
  'paired alone': () => 0,
  'one mode term': (datasets) => 1 / datasets,
  'root of m': (datasets) => 1 / Math.sqrt(datasets),
  pooled: () => 1,
};

/** What the terms of an estimator are worth, for one length of the paired chains and one number of datasets. */
export interface TermJudgement {
  readonly name: string;
  readonly burnIn: number;
  readonly length: number;
  readonly datasets: number;
  readonly releases: number;
  readonly targets: 'typical' | 'uniform' | 'all';
  /** Power of the paired terms that is calibrated; with the mode terms beside it, power of each. 1 = as it is. */
  readonly paired: { readonly slope: number; readonly se: number };
  readonly modes: { readonly slope: number; readonly se: number };
  /** Thousandths of a bit a target, achieved and claimed, by formula. */
  readonly millibits: Readonly<Record<string, { readonly achieved: number; readonly claimed: number }>>;
}

/**
 * Judges the terms by how well they tell of which table datasets are. Mode terms compare the table-alone side of a
 * dataset with the mean over chains of the first table, its own left out. Releases are made of datasets of own chains.
 *
 * @param found pairs of tables made from one table with one burn-in
 * @returns a judgement for every length and number of datasets for which there are two releases of either table
 */
export function judgeTerms(found: readonly TwoTables[]): TermJudgement[] {
  return LENGTHS.flatMap((length, l) =>
    RELEASES.flatMap((datasets) =>
      (['all', 'typical', 'uniform'] as const).flatMap((targets) => {
        const pairs = found.flatMap((tables) => releasePairs(tables, l, datasets, targets));
        if (pairs.length < 2) return [];
        const { name, burnIn } = found[0]!;
        return {
          name,
          burnIn,
          length,
          datasets,
          releases: pairs.length,
          targets,
          ...judgePairs(pairs, datasets),
        };
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
  { chains, typical, logMeans }: TwoTables,
  length: number,
  datasets: number,
  targets: TermJudgement['targets'],
): Release[][] {
  const members = typical.flatMap((is, t) =>
    targets === 'all' || is === (targets === 'typical') ? [t] : [],
  );
  const logMean = (table: number, chain: number, side: number) => {
    const from = (((table * chains + chain) * 2 + side) * LENGTHS.length + length) * typical.length;
    const values = logMeans.subarray(from, from + typical.length);
    return Float64Array.from(members, (t) => values[t]!);
  };
  const ofFirst = new Float64Array(members.length);
  for (let c = 0; c < chains; c++) {
    const alone = logMean(0, c, 1);
    for (let i = 0; i < members.length; i++) ofFirst[i]! += Math.exp(alone[i]!);
  }
  const terms = [0, 1].map((table) =>
    Array.from({ length: chains }, (_, c) => {
      const [stacked, alone] = [logMean(table, c, 0), logMean(table, c, 1)];
      return {
        paired: stacked.map((value, i) => value - alone[i]!),
        mode: alone.map((value, i) => {
          const others = table === 0 ? (ofFirst[i]! - Math.exp(value)) / (chains - 1) : ofFirst[i]! / chains;
          return value - Math.log(others);
        }),
      };
    }),
  );
  return Array.from({ length: Math.floor(chains / datasets) }, (_, release) =>
    terms.map((ofTable, table): Release => {
      const own = ofTable.slice(release * datasets, (release + 1) * datasets);
      const add = (term: 'paired' | 'mode') =>
        Float64Array.from(members, (_target, i) => own.reduce((sum, each) => sum + each[term][i]!, 0));
      return { paired: add('paired'), mode: add('mode'), label: table === 0 ? -1 : 1 };
    }),
  );
}

function judgePairs(pairs: readonly (readonly Release[])[], datasets: number) {
  const slopes = (terms: (release: Release) => Float64Array[]) =>
    compositeSlopes(
      pairs.map((pair) => pair.map((release) => ({ terms: terms(release), label: release.label }))),
    );
  const alone = slopes(({ paired }) => [paired]);
  const both = slopes(({ paired, mode }) => [paired, mode]);
  const millibits = Object.entries(FORMULAS).map(([formula, coefficient]) => {
    const { achieved, claimed } = labelInformation(
      pairs.flat().map(({ paired, mode, label }) => ({
        logOdds: paired.map((value, i) => value + coefficient(datasets) * mode[i]!),
        label,
      })),
    );
    return [formula, { achieved: 1000 * achieved, claimed: 1000 * claimed }] as const;
  });
  return {
    paired: { slope: alone.slopes[0]!, se: alone.errors[0]! },
    modes: { slope: both.slopes[1]!, se: both.errors[1]! },
    millibits: Object.fromEntries(millibits),
  };
}
