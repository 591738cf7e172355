import type { AppliedIdentificationRisk, MatchFigures } from '../../contracts/results/identification.ts';
import { standardDeviation } from '../../numeric/spread.ts';

const NO_UNIQUE_MATCH = 'no record has a unique match';
const NO_SPREAD = 'fewer than two datasets have a record with a unique match';

/** Adds up what the records of one dataset are matched by, at every point of a grid (Hu & Savitsky 2018, section 4.2.1). */
export class MatchSums {
  readonly #expected: Float64Array;
  readonly #unique: Uint32Array;
  readonly #trueUnique: Uint32Array;

  constructor(points: number) {
    this.#expected = new Float64Array(points);
    this.#unique = new Uint32Array(points);
    this.#trueUnique = new Uint32Array(points);
  }

  add(counts: Uint32Array, ownMatches: Uint8Array): void {
    for (let point = 0; point < counts.length; point++) {
      const matches = counts[point]!;
      if (ownMatches[point]) this.#expected[point]! += 1 / matches;
      if (matches === 1) {
        this.#unique[point]! += 1;
        if (ownMatches[point]) this.#trueUnique[point]! += 1;
      }
    }
  }

  /** The sum of T/c at a point (Hu & Savitsky 2018, eq. 15). */
  expectedMatchRisk(point: number): number {
    return this.#expected[point]!;
  }

  /** Figures of the dataset at a point (Hu & Savitsky 2018, eq. 15-17). */
  figures(point: number, records: number): MatchFigures {
    const unique = this.#unique[point]!;
    const trueUnique = this.#trueUnique[point]!;
    return {
      expectedMatchRisk: this.#expected[point]!,
      trueMatchRate: trueUnique / records,
      ...nullable(unique === 0 ? [] : [(unique - trueUnique) / unique], mean),
      uniqueMatches: unique,
    };
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The false match rate over the datasets that have one. */
function nullable(rates: readonly number[], over: (values: readonly number[]) => number) {
  return rates.length === 0 ? { falseMatchRate: null, falseMatchRateReason: NO_UNIQUE_MATCH } : { falseMatchRate: over(rates) };
}

/** Figures over datasets; the false match rate over those that have one, as in Hu & Savitsky (2018), Table 4. */
function over(datasets: readonly MatchFigures[], combine: (values: readonly number[]) => number): MatchFigures {
  const rates = datasets.flatMap(({ falseMatchRate }) => (falseMatchRate === null ? [] : [falseMatchRate]));
  return {
    expectedMatchRisk: combine(datasets.map((figures) => figures.expectedMatchRisk)),
    trueMatchRate: combine(datasets.map((figures) => figures.trueMatchRate)),
    ...nullable(rates, combine),
    uniqueMatches: combine(datasets.map((figures) => figures.uniqueMatches)),
  };
}

/** Mean and spread over the m datasets of a release. */
export function spreadOfFigures(
  datasets: readonly MatchFigures[],
): Pick<AppliedIdentificationRisk, 'mean' | 'standardDeviation' | 'standardDeviationReason' | 'minimum' | 'maximum'> {
  const rates = datasets.flatMap(({ falseMatchRate }) => falseMatchRate ?? []);
  const deviation = ({ falseMatchRateReason: _, ...figures }: MatchFigures) => ({
    ...figures,
    ...(rates.length < 2 ? { falseMatchRate: null, falseMatchRateReason: NO_SPREAD } : {}),
  });
  return {
    mean: over(datasets, mean),
    ...(datasets.length < 2
      ? { standardDeviation: null, standardDeviationReason: 'there is one dataset' }
      : { standardDeviation: deviation(over(datasets, standardDeviation)) }),
    minimum: over(datasets, (values) => Math.min(...values)),
    maximum: over(datasets, (values) => Math.max(...values)),
  };
}

const RISK_CLASSES = [0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** Means over datasets are at the end of their class but for rounding. */
const ROUNDING = 1 + 1e-9;

/** Records by their mean risk, in classes above one bound and up to the next; the first is of no risk at all. */
export function classesOfRisk(risks: Float64Array): AppliedIdentificationRisk['recordRisks'] {
  const counts = RISK_CLASSES.map(() => 0);
  for (let record = 0; record < risks.length; record++) {
    let at = 0;
    while (risks[record]! > RISK_CLASSES[at]! * ROUNDING) at++;
    counts[at]! += 1;
  }
  return RISK_CLASSES.map((upTo, index) => ({ above: index === 0 ? null : RISK_CLASSES[index - 1]!, upTo, records: counts[index]! }));
}
