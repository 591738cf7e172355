import { lgamma } from '../../shared/numeric/gamma-function.ts';
import { log } from '../../shared/numeric/portable-math.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';

/** Records in classes, with phi and the sticks integrated out. */
export interface RecordAllocation {
  /** records: class of each. */
  readonly classOf: Uint16Array;
  /** records x variables: category of each variable, among the categories of all variables end to end. */
  readonly categoriesOf: Uint32Array;
  /** classes. */
  readonly classCounts: Float64Array;
  /** Categories of all variables end to end x classes. */
  readonly categoryCounts: Float64Array;
}

/** Adds a record to a class, or takes it away with `change` -1. */
export function tallyRecord(allocation: RecordAllocation, record: number, f: number, change: 1 | -1): void {
  const { categoriesOf, classCounts, categoryCounts } = allocation;
  const variables = categoriesOf.length / allocation.classOf.length;
  classCounts[f]! += change;
  for (let j = record * variables; j < (record + 1) * variables; j++) {
    categoryCounts[categoriesOf[j]! * classCounts.length + f]! += change;
  }
}

/** log p(allocation | alpha) with the sticks integrated out: beta integrals, the last stick being 1. */
function logPrior(classCounts: Float64Array, alpha: number): number {
  let sum = 0;
  let after = classCounts.reduce((total, count) => total + count, 0);
  for (let f = 0; f < classCounts.length - 1; f++) {
    const own = classCounts[f]!;
    after -= own;
    // B(1 + n, alpha + N) / B(1, alpha), N the records of later classes.
    sum += log(alpha) + lgamma(1 + own) + lgamma(alpha + after) - lgamma(1 + own + alpha + after);
  }
  return sum;
}

/**
 * Split and merge of classes by sequential allocation (Dahl 2005), exact for the truncated stick: two records
 * drawn at random propose to split their class, the one that keeps its label, the other into an empty class drawn
 * at random, with the class's other records allocated one after the other in random order; or to merge theirs.
 */
export class SplitMerge {
  readonly #allocation: RecordAllocation;
  readonly #sizes: readonly number[];
  proposed = 0;
  accepted = 0;

  constructor(allocation: RecordAllocation, sizes: readonly number[]) {
    this.#allocation = allocation;
    this.#sizes = sizes;
  }

  /** One proposal. */
  propose(alpha: number, random: RandomStream): void {
    const allocation = this.#allocation;
    const { classOf, classCounts } = allocation;
    const i = random.below(classOf.length);
    const j = random.below(classOf.length);
    if (i === j) return;
    this.proposed++;
    const kept = classOf[i]!;
    const splits = classOf[j] === kept;
    const empty = [...classCounts.keys()].filter((f) => classCounts[f] === 0);
    if (splits && empty.length === 0) return;
    const other = splits ? empty[random.below(empty.length)]! : classOf[j]!;
    const members: number[] = [];
    for (let r = 0; r < classOf.length; r++) {
      if (r !== i && r !== j && (classOf[r] === kept || classOf[r] === other)) members.push(r);
    }
    for (let m = members.length - 1; m > 0; m--) {
      const swap = random.below(m + 1);
      [members[m], members[swap]] = [members[swap]!, members[m]!];
    }
    const before = { prior: logPrior(classCounts, alpha), classes: members.map((r) => classOf[r]!) };
    for (const r of [i, j, ...members]) tallyRecord(allocation, r, classOf[r]!, -1);
    tallyRecord(allocation, i, kept, 1);
    tallyRecord(allocation, j, other, 1);

    // The split proposed, or the one that would undo the merge: its probability, and that of the records in it.
    let logProposal = -log(splits ? empty.length : empty.length + 1);
    let logSplit = this.#logPredictive(i, kept, true) + this.#logPredictive(j, other, true);
    const after: number[] = [];
    for (const [m, r] of members.entries()) {
      const ofKept = this.#logPredictive(r, kept, false);
      const ofOther = this.#logPredictive(r, other, false);
      const ratio = (classCounts[other]! / classCounts[kept]!) * Math.exp(ofOther - ofKept);
      const share = 1 / (1 + ratio);
      const toKept = splits ? random.uniform() < share : before.classes[m] === kept;
      logProposal += toKept ? log(share) : log(ratio * share);
      logSplit += toKept ? ofKept : ofOther;
      after.push(toKept ? kept : other);
      tallyRecord(allocation, r, toKept ? kept : other, 1);
    }
    const splitPrior = splits ? logPrior(classCounts, alpha) : before.prior;

    // All in one class.
    for (const [m, r] of members.entries()) tallyRecord(allocation, r, after[m]!, -1);
    tallyRecord(allocation, j, other, -1);
    let logMerged = this.#logPredictive(i, kept, true);
    for (const r of [j, ...members]) {
      logMerged += this.#logPredictive(r, kept, false);
      tallyRecord(allocation, r, kept, 1);
    }
    const mergedPrior = splits ? before.prior : logPrior(classCounts, alpha);

    const logRatio = logSplit + splitPrior - logMerged - mergedPrior - logProposal;
    const accepts = log(random.uniform()) < (splits ? logRatio : -logRatio);
    if (accepts) this.accepted++;
    const isSplit = splits === accepts;
    for (const [m, r] of [...members, j].entries()) {
      const f = isSplit ? (after[m] ?? other) : kept;
      if (f !== kept) {
        tallyRecord(allocation, r, kept, -1);
        tallyRecord(allocation, r, f, 1);
      }
      classOf[r] = f;
    }
  }

  /** log p(record | those of the class so far), or of the first in it. */
  #logPredictive(record: number, f: number, isFirst: boolean): number {
    const { categoriesOf, classCounts, categoryCounts } = this.#allocation;
    const variables = this.#sizes.length;
    const count = isFirst ? 0 : classCounts[f]!;
    let product = 1;
    for (let k = 0; k < variables; k++) {
      const category = categoriesOf[record * variables + k]!;
      const own = isFirst ? 0 : categoryCounts[category * classCounts.length + f]!;
      product *= (own + 1) / (count + this.#sizes[k]!);
    }
    return log(product);
  }
}
