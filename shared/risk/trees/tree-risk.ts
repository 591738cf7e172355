import { bandOf } from '../../contracts/config/bands.ts';
import { InvalidTableError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { requireSettings } from '../../model/cart/synthesis.ts';
import { log } from '../../numeric/portable-math.ts';
import { bandValues } from '../../table/guessed-columns.ts';
import type { Column } from '../../table/table.ts';
import { datasetColumns, elementAt, type TreeRelease, type TreeVariables, treeVariables } from './tree-variables.ts';
import { type TreeAnswer, VariableTree } from './variable-tree.ts';

/** How many records' worth of the uniform distribution the intruder adds to the donors of a leaf beforehand. */
export const PRIOR_RECORDS = 1;

/** What is computed of candidates. */
export interface TreeRiskOptions {
  /** False for {@link CandidateRisk.fixed} alone, which is quick. */
  readonly exact: boolean;
  /** How many records' worth of the uniform distribution, above 0, the intruder adds to the donors of a leaf beforehand. */
  readonly priorRecords: number;
}

/** What is known of the candidates of one record, one element each, in their order. */
export interface CandidateRisk {
  /** log P(Z | D_i^x) - log P(Z | D), in nats; -Infinity for a candidate that could not have led to the release. */
  readonly logRatios: Float64Array;
  /** The same without each dataset, one array a dataset; null of a single one, and where they are not known. */
  readonly logRatiosWithout: readonly Float64Array[] | null;
  /** Logarithm of the candidates' prior probability, over all cells of the synthesized variables. */
  readonly logPriors: Float64Array;
}

/** {@link CandidateRisk} by both ways; `exact` is null where it is not asked for. */
export interface RecordTreeRisk {
  /** Trees grown again on D_i^x; the prior is that of trees grown without the record. */
  readonly exact: (CandidateRisk & { /** 1 where any tree divides otherwise. */ readonly regrown: Uint8Array }) | null;
  /** Trees with the divisions that they have on D; the prior is that of their leaves without the record. */
  readonly fixed: CandidateRisk;
}

/**
 * Attribute risk of sequential trees with donors, exactly.
 *
 * The row of a record comes to rest in a node with n donors, n_v of value v, and is given v with probability n_v / n, so
 * that P(Z | D) is the product of n_v / n over datasets, rows and synthesized variables. For a candidate x of record i
 * all trees are grown again on D_i^x, the table with x in place of the record's synthesized values. The factor of a tree
 * depends on x by its variable and those visited before alone. Whose row a row of a dataset is makes no difference, but
 * which kept values it has.
 *
 * Where several divisions of a node gain the same, the first is taken, and another one where the release is impossible by the
 * first and possible by the other, as of another program: then it is taken on all D_i^x on which it gains no less.
 *
 *     const risk = createTreeRisk({ table, settings, datasets }, { exact: true, priorRecords: 1 });
 *     const { exact, fixed } = risk.risksOf(record, risk.valuesAt(record, 0));
 *
 * Records may be asked for in any order and in several instances, with the same numbers to the last bit.
 *
 * @throws UnsupportedOptionError `continuous-variable` for a synthesized variable that is continuous and has no bands,
 * `proper-trees` for trees that are grown on bootstrap samples
 * @throws InvalidTableError `other-trees` when the trees of the table could not have given what was released
 * @throws RangeError for settings that are none, a table of fewer than two records, columns of another length or type
 */
export function createTreeRisk(release: TreeRelease, options: TreeRiskOptions): TreeRisk {
  if (!(options.priorRecords > 0 && options.priorRecords < Infinity)) {
    throw new RangeError(`the records that a prior adds must be above 0: ${options.priorRecords}`);
  }
  const variables = treesOf(release, true);
  requirePossible(release, variables);
  return new TreeRisk(release, variables, options);
}

/** How trees of a table would have given what was released. */
export interface LikelihoodOfRelease {
  /**
   * How many released values of each synthesized variable, in visiting order, no donor could give where their row comes to
   * rest: all 0 for a release that these trees can have led to.
   */
  readonly impossible: readonly number[];
  /** Log-probability of all others, in nats. */
  readonly logLikelihood: number;
}

/**
 * How the trees of a table would have given what was released. Throws as {@link createTreeRisk}, but for `other-trees`.
 *
 * @param resolveTies whether nodes are divided as {@link createTreeRisk} does it
 */
export function likelihoodOfRelease(release: TreeRelease, resolveTies: boolean): LikelihoodOfRelease {
  const trees = treesOf(release, resolveTies).map(({ tree }) => tree);
  return { impossible: trees.map(({ impossible }) => impossible), logLikelihood: trees.reduce((sum, tree) => sum + tree.logLikelihood, 0) };
}

type GrownVariable = { readonly variable: TreeVariables; readonly tree: VariableTree };

function treesOf(release: TreeRelease, resolveTies: boolean): GrownVariable[] {
  requireRelease(release);
  const { table, settings, bands } = release;
  if (settings.proper === true) {
    throw new UnsupportedOptionError(
      'proper-trees',
      'trees that were grown on bootstrap samples have a likelihood that is a mean over all samples, which is not computed',
    );
  }
  const released = datasetColumns(release);
  const variables = treeVariables(table.schema, settings, bands);
  const ofTrees = { ...settings, trees: variables.length, resolveTies };
  return variables.map((variable) => ({ variable, tree: new VariableTree(variable, table.columns, released, table.records, ofTrees) }));
}

type Summed = { -readonly [Name in keyof CandidateRisk]: CandidateRisk[Name] };

/** The risk of records of one release; computed without Monte Carlo error. */
export class TreeRisk {
  readonly #columns: readonly Column[];
  readonly #datasets: number;
  readonly #synthesized: readonly number[];
  readonly #variables: readonly TreeVariables[];
  readonly #trees: readonly VariableTree[];
  readonly #options: TreeRiskOptions;
  /** By place, the values that stand for bands; null of categorical variables. */
  readonly #values: readonly (Float64Array | null)[];

  constructor({ table, settings, datasets }: TreeRelease, grown: readonly GrownVariable[], options: TreeRiskOptions) {
    this.#columns = table.columns;
    this.#datasets = datasets.length;
    this.#synthesized = settings.synthesized;
    this.#variables = grown.map(({ variable }) => variable);
    this.#trees = grown.map(({ tree }) => tree);
    this.#options = options;
    this.#values = this.#variables.map(({ response, bands }) => {
      const column = table.columns[response]!;
      return bands === null || column.type === 'categorical' ? null : bandValues(bands, column.values);
    });
  }

  /** The cells in which a record has any value of the variable at a place of the visiting order, and else its own. */
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

  /**
   * What the release reveals about a record, from 0, whose other values the intruder knows.
   *
   * @param candidates cells x synthesized variables in visiting order, row-major: codes, of continuous ones numbers of bands
   */
  risksOf(record: number, candidates: ArrayLike<number>): RecordTreeRisk {
    const width = this.#synthesized.length;
    const count = candidates.length / width;
    const figures = () => new Float64Array(count);
    const risk = (): Summed => ({
      logRatios: figures(),
      logPriors: figures(),
      logRatiosWithout: Array.from({ length: this.#datasets }, figures),
    });
    const fixed = risk();
    const exact = this.#options.exact ? { ...risk(), regrown: new Uint8Array(count) } : null;
    for (let x = 0; x < count; x++) {
      for (const [k, tree] of this.#trees.entries()) {
        const place = tree.placeOf((variable) => {
          const visit = this.#synthesized.indexOf(variable);
          return visit < 0 ? elementAt(this.#columns[variable]!, record) : this.#valueOf(record, visit, candidates[x * width + visit]!);
        });
        const answers = tree.answer(record, place, this.#options.exact);
        this.#add(fixed, x, k, answers.fixed);
        if (exact === null || answers.exact === null) continue;
        this.#add(exact, x, k, answers.exact);
        if (answers.exact.regrown) exact.regrown[x] = 1;
      }
    }
    return { exact, fixed };
  }

  #add(risk: Summed, x: number, place: number, { logRatio, logRatiosWithout, donors }: TreeAnswer): void {
    risk.logRatios[x]! += logRatio;
    risk.logPriors[x]! += this.#logShare(place, donors);
    if (logRatiosWithout === null) risk.logRatiosWithout = null;
    for (const [l, ratios] of risk.logRatiosWithout?.entries() ?? []) ratios[x]! += logRatiosWithout![l]!;
  }

  #logShare(place: number, { alike, all }: { alike: number; all: number }): number {
    const { priorRecords } = this.#options;
    const share = alike + priorRecords / this.#variables[place]!.classes;
    return log(share) - log(all + priorRecords);
  }

  /** The class of a record's own value of the variable at a place of the visiting order. */
  #codeOf(record: number, place: number): number {
    const element = elementAt(this.#columns[this.#synthesized[place]!]!, record);
    const { bands } = this.#variables[place]!;
    return bands === null ? element : bandOf(bands.lower, element);
  }

  /** The element that a class stands for: of bands the record's own value in its own one. */
  #valueOf(record: number, place: number, code: number): number {
    const values = this.#values[place]!;
    if (values === null) return code;
    return code === this.#codeOf(record, place) ? elementAt(this.#columns[this.#synthesized[place]!]!, record) : values[code]!;
  }
}

function requireRelease({ table, settings, datasets }: TreeRelease): void {
  requireSettings(table, settings);
  if (table.records < 2) throw new RangeError('without one record the table has none');
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

/** Says nothing of how many values there are: a guess at a record could be checked against it. */
function requirePossible({ table }: TreeRelease, grown: readonly GrownVariable[]): void {
  const other = grown.find(({ tree }) => tree.impossible > 0);
  if (other === undefined) return;
  const { name } = table.schema.variables[other.variable.response]!;
  throw new InvalidTableError(
    'other-trees',
    `released values of ${name} are impossible under the trees of the table: they were grown with other settings, in another order, or on another table`,
  );
}
