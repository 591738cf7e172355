import { bandOf } from '../../contracts/config/bands.ts';
import type { GrowthSettings } from '../../model/cart/growth.ts';
import type { CartSettings } from '../../model/cart/synthesis.ts';
import type { Column } from '../../table/table.ts';
import {
  type ElementOf,
  fixedChange,
  type GrownNode,
  type LeafLikelihood,
  NOTHING_RELEASED,
  type ReleasedLikelihood,
  type RestingDonors,
  ratiosWithout,
  restingDonors,
  sumOfLikelihoods,
} from './grown-node.ts';
import { DonorShares, KernelLikelihood } from './leaf-likelihood.ts';
import { RegressionGrowth } from './regression-growth.ts';
import { resolveTies } from './resolve-ties.ts';
import { MOST_REMEMBERED, sameDivisions, TreeGrowth } from './tree-growth.ts';
import type { NodeSource } from './tree-node.ts';
import { type CountedRows, countRows, placeOf, type TreePlace, type TreeVariables } from './tree-variables.ts';

/** Answers of all trees that are remembered before they are forgotten. */
export const MOST_ANSWERS = 100_000;

/** What one way of computing it says of a candidate. */
export interface TreeAnswer {
  /** Log-likelihood ratio to the table as it is, in nats; -Infinity where the changed tree could not have given it. */
  readonly logRatio: number;
  /** The same without each dataset; null of a single one, and where it is not known. */
  readonly logRatiosWithout: readonly number[] | null;
  /** The donors that the candidate meets without the record. */
  readonly donors: RestingDonors;
}

/** What a candidate of a record does to what was released by one tree; `exact` is null where it is not asked for. */
export interface TreeAnswers {
  readonly fixed: TreeAnswer;
  /** With the tree grown again; `regrown` is true if it divides records otherwise. */
  readonly exact: (TreeAnswer & { readonly regrown: boolean }) | null;
}

/** The tree of one synthesized variable, and what changes of a record do to it; equal questions are answered once. */
export class VariableTree {
  /** Released values that the tree of the table cannot have given. */
  readonly impossible: number;
  /** Log-probability of the released values that it can have given, in nats. */
  readonly logLikelihood: number;
  readonly #variables: TreeVariables;
  readonly #records: CountedRows;
  readonly #growth: Pick<TreeGrowth, 'grow' | 'look'>;
  readonly #truth: GrownNode;
  readonly #likelihood: LeafLikelihood;
  readonly #elementOf: ElementOf;
  readonly #datasets: number;
  #answers = new Map<string, TreeAnswers>();
  readonly #mostAnswers: number;
  /** The tree without the record that was asked for last. */
  #without: { readonly unit: number; readonly root: GrownNode } | null = null;

  /**
   * @param table columns of the confidential table
   * @param datasets columns of each dataset, kept ones included
   * @param settings those of all trees, and how many there are, which share what may be remembered; whether nodes are divided
   * otherwise where that gains no less and makes possible what was released
   */
  constructor(
    variables: TreeVariables,
    table: readonly Column[],
    datasets: readonly (readonly Column[])[],
    records: number,
    settings: GrowthSettings & Pick<CartSettings, 'smoothing'> & { readonly trees: number; readonly resolveTies: boolean },
  ) {
    this.#mostAnswers = MOST_ANSWERS / settings.trees;
    this.#variables = variables;
    this.#datasets = datasets.length;
    const { predictors, classes } = variables;
    this.#records = countRows(variables, [table], records);
    const released = countRows(variables, datasets, records);
    const source = { predictors, classes, records: this.#records, released };
    this.#likelihood =
      variables.bands !== null && settings.smoothing ? new KernelLikelihood(this.#records, released) : new DonorShares(records + 1);
    const remembered = MOST_REMEMBERED / settings.trees;
    const growthOf = (of: NodeSource) =>
      variables.bands === null
        ? new TreeGrowth(of, settings, remembered)
        : new RegressionGrowth(of, settings, this.#likelihood, remembered);
    this.#growth = growthOf(source);
    this.#truth = this.#growth.grow(null, null);
    const preferred = settings.resolveTies && this.#truth.impossible > 0 ? resolveTies(source, this.#growth, settings) : null;
    if (preferred !== null) {
      this.#growth = growthOf({ ...source, preferred });
      this.#truth = this.#growth.grow(null, null);
    }
    this.impossible = this.#truth.impossible;
    this.logLikelihood = this.#truth.logLikelihood;
    const places = new Map(predictors.map(({ variable }, p) => [variable, p]));
    this.#elementOf = (place, variable) => place.predictors[places.get(variable)!]!;
  }

  placeOf(elementOf: (variable: number) => number): TreePlace {
    const { response, predictors, bands } = this.#variables;
    const element = elementOf(response);
    return {
      ...(bands === null ? { response: element } : { response: bandOf(bands.lower, element), value: element }),
      predictors: predictors.map(({ variable }) => elementOf(variable)),
    };
  }

  /**
   * What it does that a record has the values of a candidate.
   *
   * @param exact whether the tree is grown again, the same in all calls
   */
  answer(record: number, candidate: TreePlace, exact: boolean): TreeAnswers {
    const unit = this.#records.rowOf[record]!;
    const key = `${unit}:${candidate.value ?? candidate.response},${candidate.predictors}`;
    let answers = this.#answers.get(key);
    if (answers === undefined) {
      if (this.#answers.size >= this.#mostAnswers) this.#answers = new Map();
      const ownPlace = placeOf(this.#records, unit);
      answers = { fixed: this.#fixed(ownPlace, candidate), exact: exact ? this.#exact(unit, ownPlace, candidate) : null };
      this.#answers.set(key, answers);
    }
    return answers;
  }

  #fixed(ownPlace: TreePlace, candidate: TreePlace): TreeAnswer {
    this.#likelihood.changeTable(null, null);
    const change = equalPlaces(ownPlace, candidate)
      ? NOTHING_RELEASED
      : fixedChange(this.#truth, ownPlace, candidate, this.#likelihood, this.#elementOf);
    const { logRatio, logRatiosWithout } = this.#ratios(change);
    return { logRatio, logRatiosWithout, donors: restingDonors(this.#truth, candidate, ownPlace, this.#elementOf) };
  }

  #exact(unit: number, ownPlace: TreePlace, candidate: TreePlace): TreeAnswer & { readonly regrown: boolean } {
    if (this.#without?.unit !== unit) this.#without = { unit, root: this.#growth.grow(ownPlace, null) };
    const truth = this.#truth;
    const grown = equalPlaces(ownPlace, candidate) ? truth : this.#growth.grow(ownPlace, candidate);
    // Answers are remembered: an object that others are spread into has a description of its own, which takes as much as it does.
    const { logRatio, logRatiosWithout } = this.#ratios(sumOfLikelihoods([grown], truth));
    return {
      logRatio,
      logRatiosWithout,
      regrown: !sameDivisions(grown, truth),
      donors: restingDonors(this.#without.root, candidate, null, this.#elementOf),
    };
  }

  #ratios(change: ReleasedLikelihood): Pick<TreeAnswer, 'logRatio' | 'logRatiosWithout'> {
    return {
      logRatio: change.impossible > 0 ? -Infinity : change.logLikelihood,
      logRatiosWithout: this.#datasets < 2 ? null : ratiosWithout(change, this.#datasets),
    };
  }
}

function equalPlaces(a: TreePlace, b: TreePlace): boolean {
  if (a.response !== b.response || a.value !== b.value) return false;
  for (let p = 0; p < a.predictors.length; p++) if (a.predictors[p] !== b.predictors[p]) return false;
  return true;
}
