import type { ScenarioModel } from '../../artifacts/run-context.ts';
import type { RowsBeside } from '../../artifacts/stored-beside.ts';
import { askedVariables } from '../../risk/intruder/value-sets.ts';

/** What is known of trees over records, beside what is known of every model. */
export interface TreeFigures {
  /** Records of which the release proves the value of some variable. */
  readonly provenRecords: number;
  readonly provenShare: number;
  /** The share of records of which it proves that of a variable, by its name. */
  readonly provenShares: ReadonlyMap<string, number>;
  /** Continuous variables of which bands are guessed at. */
  readonly bandedVariables: readonly string[];
  /** With the divisions held as they are; null where they are in all figures. */
  readonly fixedStructure: {
    readonly probabilityMean: number;
    readonly firstGuessRightAfter: number;
    readonly gainBitsMean: number;
    /** The share of the gain that this misses; null where there is no gain. */
    readonly gainBitsMissedShare: number | null;
    readonly provenShare: number;
  } | null;
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

/**
 * What is proven, and the figures of a file with the divisions held as they are.
 *
 * @param beside of all rows, which are records
 * @param gainBitsMean gain at the truth; null where nothing is guessed
 */
export function treeFigures({ plan, space, table, records }: ScenarioModel, beside: RowsBeside, gainBitsMean: number | null): TreeFigures {
  const { variables: asked, counted } = askedVariables(space);
  const single = [...asked.keys()].filter((s) => asked[s]!.length === 1);
  /** The mean over records of the sum of a figure over some value sets. */
  const mean = (figure: Float64Array, sets: readonly number[]) =>
    sets.reduce((sum, s) => sum + sumOf(figure.filter((_, place) => place % asked.length === s)) / records, 0);
  const { values } = beside;
  const gainFixed = mean(values.gainBitsFixed, counted);
  const provenRecords = sumOf(beside.proven);
  return {
    provenRecords,
    provenShare: provenRecords / records,
    provenShares: new Map(single.map((s) => [table.schema.variables[asked[s]![0]!]!.name, mean(values.proven, [s])])),
    bandedVariables: Object.entries(plan.config.variables).flatMap(([name, { candidates }]) => (candidates === undefined ? [] : [name])),
    fixedStructure:
      plan.config.attributeRisk.estimator === 'exact'
        ? {
            probabilityMean: sumOf(beside.probabilityFixed) / records,
            firstGuessRightAfter: single.length === 0 ? 0 : mean(values.rightFixed, single) / single.length,
            gainBitsMean: gainFixed,
            gainBitsMissedShare: gainBitsMean !== null && gainBitsMean > 0 ? 1 - gainFixed / gainBitsMean : null,
            provenShare: sumOf(beside.provenFixed) / records,
          }
        : null,
  };
}
