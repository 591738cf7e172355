import type { Radius } from '../../contracts/config/identification-scenario.ts';
import type { MatchFigures } from '../../contracts/results/identification.ts';
import type { Streams } from '../../random/streams.ts';
import type { Table } from '../../table/table.ts';
import { type AttributeDisclosures, attributeDisclosures } from '../identification/attribute-disclosures.ts';
import { type Resampling, resampleUniformly, resampleWithinPatterns } from './resample-synthesized.ts';

/** The two scenarios of 001 section 4.1: what discloses least, and what discloses most. */
export const BOUNDS = ['minimum', 'maximum'] as const;

/** One of the two scenarios. */
export type Bound = (typeof BOUNDS)[number];

/** What is measured of every resample, and of every dataset of a release. */
export interface DisclosureMeasures {
  readonly disclosures: Pick<AttributeDisclosures, 'count' | 'countByVariable'>;
  /** One element for each identification scenario. */
  readonly matchFigures: readonly MatchFigures[];
}

/** How a dataset is measured. */
export interface DisclosureRule {
  /** By variable of the table; undefined where continuous values must be equal. */
  readonly radii: readonly (Radius | undefined)[];
  /** One for each identification scenario: its risk in a dataset whose records are in the table's order. */
  readonly matchers: readonly ((synthetic: Table) => MatchFigures)[];
}

/** Measures one dataset, a resample or one that might be released. */
export function measureDisclosure(
  { table, synthesized }: Pick<Resampling, 'table' | 'synthesized'>,
  { radii, matchers }: DisclosureRule,
  synthetic: Table,
): DisclosureMeasures {
  const { count, countByVariable } = attributeDisclosures(table, synthetic, synthesized, radii);
  return { disclosures: { count, countByVariable }, matchFigures: matchers.map((match) => match(synthetic)) };
}

/**
 * Measures resample `resample` (from 1) of a bound, by a random stream of its own: it is the same in whichever order
 * resamples are drawn.
 */
export function measureResample(
  resampling: Resampling,
  rule: DisclosureRule,
  bound: Bound,
  resample: number,
  streams: Streams,
): DisclosureMeasures {
  const stream = streams.open(`inherent/${bound}/${resample}`);
  const draw = bound === 'minimum' ? resampleUniformly : resampleWithinPatterns;
  return measureDisclosure(resampling, rule, draw(resampling, stream));
}
