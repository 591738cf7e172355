import type { GrowthSettings } from '../../model/cart/growth.ts';
import type { Column } from '../../table/table.ts';
import { type CountedRows, countRows, placeOf } from './counted-rows.ts';
import { fixedChange, type ValueOf } from './fixed-structure.ts';
import type { GrownNode } from './grown-node.ts';
import { type RestingDonors, restingDonors } from './leaf-share.ts';
import { DonorShares, type ReleasedLikelihood } from './released-likelihood.ts';
import { sameDivisions, TreeGrowth } from './tree-growth.ts';
import type { TreePlace, TreeVariables } from './tree-variables.ts';

/** Answers that are remembered before they are forgotten. */
const MOST_ANSWERS = 2 ** 20;

/** What a change of one record does to what was released by one tree. */
export interface TreeChange {
  /** Log-likelihood ratio to the table as it is, in nats; -Infinity where the changed tree could not have given it. */
  readonly logRatio: number;
  /** True if the changed tree divides records otherwise. */
  readonly regrown: boolean;
}

/** The tree of one synthesized variable, and what changes of a record do to it; equal questions are answered once. */
export class VariableTree {
  /** Released values that the tree of the table cannot have given. */
  readonly impossible: number;
  readonly #variables: TreeVariables;
  readonly #records: CountedRows;
  readonly #growth: TreeGrowth;
  readonly #truth: GrownNode;
  readonly #shares: DonorShares;
  readonly #valueOf: ValueOf;
  #changes = new Map<string, TreeChange>();
  #withouts = new Map<number, GrownNode>();

  /**
   * @param table columns of the confidential table
   * @param datasets columns of each dataset, kept ones included
   */
  constructor(
    variables: TreeVariables,
    table: readonly Column[],
    datasets: readonly (readonly Column[])[],
    records: number,
    settings: GrowthSettings,
  ) {
    this.#variables = variables;
    const { predictors, classes } = variables;
    this.#records = countRows(variables, [table], records);
    const released = countRows(variables, datasets, records);
    this.#growth = new TreeGrowth({ predictors, classes, records: this.#records, released }, settings);
    this.#truth = this.#growth.grow(null, null);
    this.#shares = new DonorShares(records + 1);
    this.impossible = this.#truth.impossible;
    const places = new Map(predictors.map(({ variable }, p) => [variable, p]));
    this.#valueOf = (place, variable) => place.predictors[places.get(variable)!]!;
  }

  /** What it does that a record takes the values of a candidate, the tree being grown again. */
  exact(record: number, candidate: TreePlace): TreeChange {
    const unit = this.#records.rowOf[record]!;
    const key = `${unit}:${candidate.response},${Array.from(candidate.predictors)}`;
    let found = this.#changes.get(key);
    if (found === undefined) {
      if (this.#changes.size >= MOST_ANSWERS) this.#changes = new Map();
      found = this.#change(placeOf(this.#records, unit), candidate);
      this.#changes.set(key, found);
    }
    return found;
  }

  #change(own: TreePlace, candidate: TreePlace): TreeChange {
    if (equalPlaces(own, candidate)) return { logRatio: 0, regrown: false };
    const grown = this.#growth.grow(own, candidate);
    return {
      logRatio: ratioOf({
        logLikelihood: grown.logLikelihood - this.#truth.logLikelihood,
        impossible: grown.impossible - this.#truth.impossible,
      }),
      regrown: !sameDivisions(grown, this.#truth),
    };
  }

  /** The log-likelihood ratio if the tree keeps its divisions. */
  fixed(record: number, candidate: TreePlace): number {
    const own = placeOf(this.#records, this.#records.rowOf[record]!);
    if (equalPlaces(own, candidate)) return 0;
    return ratioOf(fixedChange(this.#truth, own, candidate, this.#shares, this.#valueOf));
  }

  /** The donors that a candidate meets in the tree that is grown without the record. */
  exactDonors(record: number, candidate: TreePlace): RestingDonors {
    const unit = this.#records.rowOf[record]!;
    let without = this.#withouts.get(unit);
    if (without === undefined) {
      if (this.#withouts.size >= MOST_ANSWERS) this.#withouts = new Map();
      without = this.#growth.grow(placeOf(this.#records, unit), null);
      this.#withouts.set(unit, without);
    }
    return restingDonors(without, candidate, null, this.#valueOf);
  }

  /** The donors that a candidate meets in the tree of the table but for the record itself. */
  fixedDonors(record: number, candidate: TreePlace): RestingDonors {
    const own = placeOf(this.#records, this.#records.rowOf[record]!);
    return restingDonors(this.#truth, candidate, own, this.#valueOf);
  }

  /** A place from values of all variables of the table. */
  placeOf(valueOf: (variable: number) => number): TreePlace {
    const { response, predictors } = this.#variables;
    return {
      response: valueOf(response),
      predictors: predictors.map(({ variable }) => valueOf(variable)),
    };
  }
}

function ratioOf({ logLikelihood, impossible }: ReleasedLikelihood): number {
  return impossible > 0 ? -Infinity : logLikelihood;
}

function equalPlaces(a: TreePlace, b: TreePlace): boolean {
  if (a.response !== b.response) return false;
  for (let p = 0; p < a.predictors.length; p++) if (a.predictors[p] !== b.predictors[p]) return false;
  return true;
}
