import type { ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { drawSticks } from '../../shared/model/chains/label-moves.ts';
import type { DpmpmSettings } from '../../shared/model/dpmpm/dpmpm.ts';
import { exp, log } from '../../shared/numeric/portable-math.ts';
import { gamma } from '../../shared/random/distributions.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';
import { categoryOffsets } from '../../shared/table/category-sizes.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { type RecordAllocation, tallyRecord } from './split-merge.ts';

/**
 * The two halves of a Gibbs iteration with the class of every record at hand, for moves that the kernel does not
 * have. The likelihood may be raised to a power, for tempering: p(x | z, phi)^power p(z | pi) p(pi) p(phi).
 */
export class ExplicitAllocation {
  readonly records: number;
  readonly #categoriesOf: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #settings: DpmpmSettings;

  constructor(combinations: Combinations, sizes: readonly number[], settings: DpmpmSettings) {
    const { count, variables, codes, counts } = combinations;
    this.#settings = settings;
    this.#offsets = categoryOffsets(sizes);
    this.records = counts.reduce((sum, own) => sum + own, 0);
    this.#categoriesOf = new Uint32Array(this.records * variables);
    let at = 0;
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < counts[row]!; i++) {
        for (let k = 0; k < variables; k++) {
          this.#categoriesOf[at++] = this.#offsets[k]! + codes[row * variables + k]!;
        }
      }
    }
  }

  /** No record in any class yet. */
  empty(): RecordAllocation {
    const { classes } = this.#settings;
    return {
      classOf: new Uint16Array(this.records),
      categoriesOf: this.#categoriesOf,
      classCounts: new Float64Array(classes),
      categoryCounts: new Float64Array(this.#offsets.at(-1)! * classes),
    };
  }

  /** Allocates every record given the parameters. */
  allocate({ weights, probabilities }: ChainState, random: RandomStream, power = 1): RecordAllocation {
    const allocation = this.empty();
    const classes = weights.length;
    const variables = this.#categoriesOf.length / this.records;
    const factors = power === 1 ? probabilities : probabilities.map((p) => exp(power * log(p)));
    const sums = new Float64Array(classes);
    for (let record = 0; record < this.records; record++) {
      let total = 0;
      for (let f = 0; f < classes; f++) {
        let product = weights[f]!;
        for (let j = record * variables; j < (record + 1) * variables; j++) {
          product *= factors[this.#categoriesOf[j]! * classes + f]!;
        }
        total += product;
        sums[f] = total;
      }
      if (!(total > 0)) throw new RangeError('every class gives some record probability zero');
      const target = random.uniform() * total;
      let f = 0;
      while (f < classes - 1 && sums[f]! <= target) f++;
      allocation.classOf[record] = f;
      tallyRecord(allocation, record, f, 1);
    }
    return allocation;
  }

  /** Draws sticks, phi and alpha given the allocation; no label moves. */
  drawParameters({ classCounts, categoryCounts }: RecordAllocation, alpha: number, random: RandomStream, power = 1): ChainState {
    const { classes, concentration } = this.#settings;
    const { logWeights } = drawSticks(classCounts, alpha, random);
    const probabilities = new Float64Array(categoryCounts.length);
    for (let k = 0; k + 1 < this.#offsets.length; k++) {
      for (let f = 0; f < classes; f++) {
        let total = 0;
        for (let c = this.#offsets[k]!; c < this.#offsets[k + 1]!; c++) {
          const variate = gamma(random, 1 + power * categoryCounts[c * classes + f]!);
          probabilities[c * classes + f] = variate;
          total += variate;
        }
        for (let c = this.#offsets[k]!; c < this.#offsets[k + 1]!; c++) probabilities[c * classes + f]! /= total;
      }
    }
    return {
      weights: logWeights.map(exp),
      probabilities,
      concentration:
        'value' in concentration
          ? concentration.value
          : gamma(random, concentration.shape + classes - 1) / (concentration.rate - logWeights[classes - 1]!),
      occupiedClasses: classCounts.reduce((count, own) => count + (own > 0 ? 1 : 0), 0),
    };
  }
}
