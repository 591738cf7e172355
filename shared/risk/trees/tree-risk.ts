import { bandOf } from '../../contracts/config/bands.ts';
import { InvalidTableError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { type CartSettings, requireSettings } from '../../model/cart/synthesis.ts';
import { log } from '../../numeric/portable-math.ts';
import { bandValues } from '../../table/guessed-columns.ts';
import type { Column, Table } from '../../table/table.ts';
import { datasetColumns, elementAt, type TreeRelease } from './tree-release.ts';
import { type TreeVariables, treeVariables } from './tree-variables.ts';
import { VariableTree } from './variable-tree.ts';

/** What is computed of candidates. */
export interface TreeRiskOptions {
  /** False for {@link CandidateRisk.fixed} alone, which is quick. */
  readonly exact: boolean;
  /**
   * How many records' worth of the uniform distribution the intruder adds to the donors of a leaf in his prior, above 0,
   * so that no value is impossible beforehand.
   */
  readonly priorRecords: number;
}

/** What is known of the candidates of one record, one element each, in their order. */
export interface CandidateRisk {
  /** log P(Z | D_i^x) - log P(Z | D), in nats; -Infinity for a candidate that could not have led to the release. */
  readonly logRatios: Float64Array;
  /** Logarithm of the candidates' prior probability, over all cells of the synthesized variables. */
  readonly logPriors: Float64Array;
}

/** {@link CandidateRisk} by both ways; `exact` is null where it is not asked for. */
export interface RecordTreeRisk {
  /** Trees grown again on D_i^x; the prior is that of trees grown without the record. */
  readonly exact:
    | (CandidateRisk & { /** 1 where any tree divides otherwise. */ readonly regrown: Uint8Array })
    | null;
  /** Trees with the divisions that they have on D; the prior is that of their leaves without the record. */
  readonly fixed: CandidateRisk;
}

/** The risk of records of one release; computed without Monte Carlo error. */
export interface TreeRisk {
  /**
   * What the release tells of a record whose other values the intruder knows.
   *
   * @param record from 0
   * @param candidates cells x synthesized variables in visiting order, row-major: codes, of continuous ones numbers of bands
   */
  risksOf(record: number, candidates: ArrayLike<number>): RecordTreeRisk;
  /** The cells in which a record has any value of the variable at a place of the visiting order, and else its own. */
  valuesAt(record: number, place: number): Float64Array;
}

/**
 * Attribute risk of sequential trees with donors, exactly.
 *
 * The tree of each synthesized variable is grown on confidential values. The row of a record comes to rest in a node with
 * n donors, n_v of value v, and is given v with probability n_v / n, so that P(Z | D) is the product of n_v / n over
 * datasets, rows and synthesized variables. For a candidate x of record i all trees are grown again on D_i^x, the table
 * with x in place of the record's synthesized values, and P(Z | D_i^x) is the same product. It is one factor a tree, which
 * depends on x by the variable of the tree and those visited before alone. Whose row a row of a dataset is makes no
 * difference, but which kept values it has.
 *
 *     const risk = createTreeRisk({ table, settings, datasets }, { exact: true, priorRecords: 1 });
 *     const { exact, fixed } = risk.risksOf(record, risk.valuesAt(record, 0));
 *
 * Records are independent of each other: any set of them may be asked for, in any order and in several instances, and
 * the numbers are the same to the last bit. An instance answers equal questions once.
 *
 * @throws UnsupportedOptionError `continuous-variable` for a synthesized variable that is continuous and has no bands
 * @throws UnsupportedOptionError `proper-trees` for trees that are grown on bootstrap samples
 * @throws InvalidTableError `other-trees` when the trees of the table could not have given what was released
 * @throws RangeError for settings that are none, a table of fewer than two records, columns of another length or type
 */
export function createTreeRisk(release: TreeRelease, options: TreeRiskOptions): TreeRisk {
  const { table, settings } = release;
  requireRelease(release, options);
  refuseProper(settings);
  const variables = treeVariables(table.schema, settings, release.bands);
  const released = datasetColumns(release);
  const trees = variables.map(
    (one) => new VariableTree(one, table.columns, released, table.records, settings),
  );
  requirePossible(table, variables, trees);
  return new Trees(release, variables, trees, options);
}

function refuseProper({ proper }: CartSettings): void {
  if (proper !== true) return;
  throw new UnsupportedOptionError(
    'proper-trees',
    'trees that were grown on bootstrap samples have a likelihood that is a mean over all samples, which is not computed',
  );
}

class Trees implements TreeRisk {
  readonly #columns: readonly Column[];
  readonly #synthesized: readonly number[];
  readonly #variables: readonly TreeVariables[];
  readonly #trees: readonly VariableTree[];
  readonly #options: TreeRiskOptions;
  /** By place, the values that stand for bands; null of categorical variables. */
  readonly #values: readonly (Float64Array | null)[];

  constructor(
    { table, settings }: TreeRelease,
    variables: readonly TreeVariables[],
    trees: readonly VariableTree[],
    options: TreeRiskOptions,
  ) {
    this.#columns = table.columns;
    this.#synthesized = settings.synthesized;
    this.#variables = variables;
    this.#trees = trees;
    this.#options = options;
    this.#values = variables.map(({ response, bands }) => {
      const column = table.columns[response]!;
      return bands === null || column.type === 'categorical' ? null : bandValues(bands, column.values);
    });
  }

  valuesAt(record: number, place: number): Float64Array {
    const width = this.#synthesized.length;
    const { classes } = this.#variables[place]!;
    const cells = new Float64Array(classes * width);
    for (let one = 0; one < classes; one++) {
      for (let k = 0; k < width; k++) {
        cells[one * width + k] = k === place ? one : this.#codeOf(record, k);
      }
    }
    return cells;
  }

  risksOf(record: number, candidates: ArrayLike<number>): RecordTreeRisk {
    const width = this.#synthesized.length;
    const count = candidates.length / width;
    const risk = () => ({ logRatios: new Float64Array(count), logPriors: new Float64Array(count) });
    const fixed = risk();
    const exact = this.#options.exact ? { ...risk(), regrown: new Uint8Array(count) } : null;
    for (let x = 0; x < count; x++) {
      for (const [k, tree] of this.#trees.entries()) {
        const place = tree.placeOf((variable) => {
          const visit = this.#synthesized.indexOf(variable);
          return visit < 0
            ? elementAt(this.#columns[variable]!, record)
            : this.#valueOf(record, visit, candidates[x * width + visit]!);
        });
        const answers = tree.answer(record, place, this.#options.exact);
        fixed.logRatios[x]! += answers.fixed.logRatio;
        fixed.logPriors[x]! += this.#logShare(k, answers.fixed.donors);
        if (exact === null || answers.exact === null) continue;
        exact.logRatios[x]! += answers.exact.logRatio;
        exact.logPriors[x]! += this.#logShare(k, answers.exact.donors);
        if (answers.exact.regrown) exact.regrown[x] = 1;
      }
    }
    return { exact, fixed };
  }

  #logShare(place: number, { alike, all }: { alike: number; all: number }): number {
    const { priorRecords } = this.#options;
    const share = alike + priorRecords / this.#variables[place]!.classes;
    return log(share) - log(all + priorRecords);
  }

  /** The class of a record's own value of the variable at a place of the visiting order. */
  #codeOf(record: number, place: number): number {
    const own = elementAt(this.#columns[this.#synthesized[place]!]!, record);
    const { bands } = this.#variables[place]!;
    return bands === null ? own : bandOf(bands.lower, own);
  }

  /** The element that a class stands for: of bands the record's own value in its own one. */
  #valueOf(record: number, place: number, code: number): number {
    const values = this.#values[place]!;
    if (values === null) return code;
    return code === this.#codeOf(record, place)
      ? elementAt(this.#columns[this.#synthesized[place]!]!, record)
      : values[code]!;
  }
}

function requireRelease({ table, settings, datasets }: TreeRelease, { priorRecords }: TreeRiskOptions): void {
  requireSettings(table, settings);
  if (table.records < 2) throw new RangeError('without one record the table has none');
  if (!(priorRecords > 0 && priorRecords < Infinity)) {
    throw new RangeError(`the records that a prior adds must be above 0: ${priorRecords}`);
  }
  for (const columns of datasets) {
    if (columns.length !== settings.synthesized.length) throw new RangeError('a dataset has other variables');
    for (const [place, column] of columns.entries()) {
      const length = column.type === 'categorical' ? column.codes.length : column.values.length;
      if (column.type !== table.columns[settings.synthesized[place]!]!.type || length !== table.records) {
        throw new RangeError('a column of a dataset does not fit the table');
      }
    }
  }
}

function requirePossible(
  { schema }: Table,
  variables: readonly TreeVariables[],
  trees: readonly VariableTree[],
): void {
  for (const [place, { impossible }] of trees.entries()) {
    if (impossible === 0) continue;
    const { name } = schema.variables[variables[place]!.response]!;
    throw new InvalidTableError(
      'other-trees',
      `${impossible} released values of ${name} are impossible under the trees of the table: they were grown with other settings, in another order, or on another table`,
    );
  }
}
