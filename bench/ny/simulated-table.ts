import { exp } from '../../shared/numeric/portable-math.ts';
import { categoricalFromSums } from '../../shared/random/distributions.ts';
import type { RandomSource } from '../../shared/random/random-source.ts';
import { normal } from '../../shared/random/ziggurat.ts';
import type { Table } from '../../shared/table/table.ts';

/** What Hu & Savitsky (2018) say of their table: numbers of records and of categories (Table 1), and Table 5 under Max. */
const RECORDS = 6208;
const GENDERS = 2;
const INCOMES = 4;
const AGES = 5;
const COUNTIES = 133;
const MAXIMUM_DISCLOSURES = 175.33;

/** Records of the smallest and of the largest pattern (Hu & Savitsky 2018, section 1.1). */
const SMALLEST = 3;
const LARGEST = 454;

/** Power of its place in order by which a pattern grows from the smallest to the largest: it makes their sum right. */
const GROWTH = 2;

/**
 * A table with what Hu & Savitsky (2018) say of theirs: 6,208 records in 40 patterns, of 3 to 454, and 133 counties, all of which
 * occur. The youngest have the smallest patterns and the oldest the next ones, as the numbers of Hu & Savitsky's (2018) smallest and
 * largest patterns have it; the others are in random order.
 *
 * A record of pattern b is in county x with a probability proportional to exp(s u_x + dependence v_bx), with u and v
 * standard normal. The spread s of the counties' sizes is found so that the exact attribute disclosures expected under
 * Max are Hu & Savitsky's (2018) 175.33: sum over b of 1 + (n_b - 1) sum over x of the squared probability.
 *
 * @param dependence how much a pattern prefers counties of its own, in logs; 0 leaves the county independent of the rest
 * @throws RangeError if so much dependence alone discloses more under Max than Hu & Savitsky (2018) have
 */
export function simulatedTable(dependence: number, random: RandomSource): Table {
  const sizes = patternSizes();
  const patterns = patternsBySize(random);
  const common = Float64Array.from({ length: COUNTIES }, () => normal(random));
  const own = sizes.map(() => Float64Array.from({ length: COUNTIES }, () => normal(random)));
  const sharesAt = (spread: number) => own.map((ofPattern) => shares(ofPattern.map((v, x) => spread * common[x]! + dependence * v)));
  const disclosed = (of: readonly Float64Array[]) =>
    of.reduce((sum, p, b) => sum + 1 + (sizes[b]! - 1) * p.reduce((squares, q) => squares + q * q, 0), 0);
  const sums = sharesAt(spreadFor((spread) => disclosed(sharesAt(spread)))).map(runningSums);

  const columns = [0, 1, 2, 3].map(() => new Uint16Array(RECORDS));
  let record = 0;
  for (const [b, pattern] of patterns.entries()) {
    for (let i = 0; i < sizes[b]!; i++, record++) {
      for (const [v, code] of pattern.entries()) columns[v]![record] = code;
      columns[3]![record] = categoricalFromSums(random, sums[b]!, 0, COUNTIES);
    }
  }
  giveEveryCountyARecord(columns[3]!, random);
  const variable = (name: string, size: number) => ({
    name,
    type: 'categorical' as const,
    categories: Array.from({ length: size }, (_, code) => `${code + 1}`),
  });
  return {
    schema: { variables: [variable('gender', GENDERS), variable('income', INCOMES), variable('age', AGES), variable('county', COUNTIES)] },
    records: RECORDS,
    columns: columns.map((codes) => ({ type: 'categorical', codes })),
  };
}

/** Records of each pattern, ascending. One in the middle takes what rounding leaves over. */
function patternSizes(): number[] {
  const count = GENDERS * INCOMES * AGES;
  const sizes = Array.from({ length: count }, (_, b) => {
    const place = b / (count - 1);
    return Math.round(SMALLEST + (LARGEST - SMALLEST) * place ** GROWTH);
  });
  sizes[count / 2]! += RECORDS - sizes.reduce((sum, size) => sum + size, 0);
  return sizes;
}

/** Gender, income and age of each pattern, in the order of their sizes. */
function patternsBySize(random: RandomSource): number[][] {
  const patternsOf = (ages: readonly number[]) => {
    const patterns = ages.flatMap((age) =>
      Array.from({ length: GENDERS * INCOMES }, (_, i) => [Math.floor(i / INCOMES), i % INCOMES, age]),
    );
    for (let i = patterns.length - 1; i > 0; i--) {
      const other = random.below(i + 1);
      [patterns[i], patterns[other]] = [patterns[other]!, patterns[i]!];
    }
    return patterns;
  };
  return [...patternsOf([0]), ...patternsOf([AGES - 1]), ...patternsOf([1, 2, 3])];
}

function shares(logs: Float64Array): Float64Array {
  const weights = logs.map(exp);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function runningSums(values: Float64Array): Float64Array {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}

/** The spread at which so much is disclosed, by bisection. */
function spreadFor(disclosed: (spread: number) => number): number {
  let [low, high] = [0, 4];
  if (disclosed(low) > MAXIMUM_DISCLOSURES) throw new RangeError('too much dependence');
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (disclosed(middle) < MAXIMUM_DISCLOSURES) low = middle;
    else high = middle;
  }
  return low;
}

/** A county that no record is in takes a random one of those in the largest. */
function giveEveryCountyARecord(codes: Uint16Array, random: RandomSource): void {
  const counts = new Uint32Array(COUNTIES);
  for (const code of codes) counts[code]!++;
  for (let x = 0; x < COUNTIES; x++) {
    if (counts[x] !== 0) continue;
    const largest = counts.indexOf(Math.max(...counts));
    let nth = random.below(counts[largest]!);
    codes[codes.findIndex((code) => code === largest && nth-- === 0)] = x;
    counts[largest]!--;
    counts[x]!++;
  }
}
