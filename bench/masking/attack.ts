import type { Linkage, MaskedAs } from '../../shared/contracts/config/linkage.ts';
import type { MaskingMethod } from '../../shared/contracts/config/masking.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { informationLoss } from '../../shared/masking/information-loss.ts';
import { withErrors } from '../../shared/masking/inject-errors.ts';
import { maskTable } from '../../shared/masking/mask-table.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { linkRelease } from '../../shared/risk/linkage/link-release.ts';
import type { LinkageFigures } from '../../shared/risk/linkage/linkage-figures.ts';
import { releaseMetrics } from '../../shared/risk/linkage/release-metrics.ts';
import type { Column, Table } from '../../shared/table/table.ts';

/** A masking and its attack. */
export interface Attack {
  readonly how: MaskingMethod;
  readonly variables: readonly number[];
  readonly link?: Partial<Pick<Linkage, 'link' | 'oneToOne' | 'bands' | 'tolerate'>>;
  /** Records of the intruder's file whose first ones are those of the release; the table where it is absent. */
  readonly population?: Table;
  /** Share of the variables of the intruder's records that are wrong. */
  readonly errors?: number;
}

/** Means over repetitions. */
export interface Attacked {
  readonly share: number;
  /** Standard error of the mean over repetitions; null for one of them. */
  readonly shareError: number | null;
  /** Right ones of the unique links; null where no repetition has one. */
  readonly precision: number | null;
  readonly claimed: number | null;
  readonly informationLoss: number | null;
  /** The figures of the first repetition. */
  readonly first: LinkageFigures;
}

const DEFAULTS = { link: 'weights', oneToOne: false, bands: null, tolerate: null } as const;

/** How a file is told to be masked. */
function toldOf(how: MaskingMethod): MaskedAs {
  switch (how.method) {
    case 'individual-ranking':
    case 'mdav':
      return { method: how.method, k: how.k };
    case 'rank-swap':
      return { method: how.method, p: how.p };
    case 'noise':
    case 'noise-mixture':
      return { method: how.method, noise: how.noise };
    default:
      return { method: how.method };
  }
}

/** Links a masked table with the intruder's file, which begins with the records of the former. */
export function attackTable(
  masked: Table,
  told: MaskedAs,
  { variables, link, population, errors }: Omit<Attack, 'how'>,
  file: Table,
  seed: number,
): LinkageFigures {
  const held = population ?? file;
  const columns = variables.map((v) => held.columns[v]!);
  const known: readonly Column[] = errors ? withErrors(new RandomStream(seed, 'masking/errors'), columns, errors) : columns;
  const compared = variables.map((v, place) => ({
    name: file.schema.variables[v]!.name,
    release: masked.columns[v]!,
    file: known[place]!,
  }));
  const own = Int32Array.from({ length: masked.records }, (_, row) => row);
  return finish(linkRelease(finish(releaseMetrics(told, compared)), own, { ...DEFAULTS, ...link })).figures;
}

/** Masks a table and attacks it, as often as there are seeds; what draws nothing once. */
export function attack(table: Table, asked: Attack, seeds: readonly number[]): Attacked {
  const isRandom = !['individual-ranking', 'mdav', 'top-code'].includes(asked.how.method) || asked.errors;
  const places = { variables: asked.variables, swap: [], strata: [] };
  const losses: number[] = [];
  const figures = (isRandom ? seeds : seeds.slice(0, 1)).map((seed) => {
    const open = (name: string) => new RandomStream(seed, name);
    const { masked } = finish(maskTable(table, { how: asked.how, sample: null }, places, open));
    const pairs = asked.variables.map((v) => ({ original: values(table, v), masked: values(masked, v) }));
    losses.push(informationLoss(pairs).percent ?? Number.NaN);
    return attackTable(masked, toldOf(asked.how), asked, table, seed);
  });
  return { ...averaged(figures), informationLoss: mean(losses) };
}

/** The means of some attacks of one kind. */
export function averaged(figures: readonly LinkageFigures[]): Omit<Attacked, 'informationLoss'> {
  const shares = figures.map(({ reidentifiedShare }) => reidentifiedShare);
  const defined = (values: readonly (number | null)[]) => {
    const some = values.filter((value) => value !== null);
    return some.length === 0 ? null : mean(some);
  };
  return {
    share: mean(shares),
    shareError: shares.length < 2 ? null : standardDeviation(shares) / Math.sqrt(shares.length),
    precision: defined(figures.map(({ precision }) => precision.share)),
    claimed: defined(figures.map(({ claimedPrecision }) => claimedPrecision)),
    first: figures[0]!,
  };
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;

/** Values of a continuous variable. */
export function values({ columns }: Table, v: number): Float64Array {
  const column = columns[v]!;
  if (column.type !== 'continuous') throw new RangeError('a categorical variable has no values');
  return column.values;
}
