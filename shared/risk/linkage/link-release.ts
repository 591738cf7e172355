import type { Linkage } from '../../contracts/config/linkage.ts';
import type { LinkageResult, LinkageThreshold } from '../../contracts/results/linkage.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import { assignOneToOne } from './assign-one-to-one.ts';
import { CandidatePairs, type Comparison } from './candidate-pairs.ts';
import { countPatterns, fitLinkage, type LinkageModel } from './fellegi-sunter.ts';
import { conjunction, type Judgement, type Links, linkRecords, weighted } from './link-records.ts';
import { type LinkageFigures, linkageFigures, linkageThresholds } from './linkage-figures.ts';

/** How links are made: {@link Linkage} without what concerns the files. */
export type LinkageSettings = Pick<Linkage, 'link' | 'oneToOne' | 'bands' | 'tolerate'>;

/** The links of a release, and what they come to. */
export interface LinkedRelease {
  readonly links: Links;
  readonly figures: LinkageFigures;
  readonly thresholds: readonly LinkageThreshold[];
  readonly comparisons: LinkageResult['comparisons'];
  readonly model: LinkageResult['model'];
}

/** Units of {@link linkRelease}: rows that are gone through, once or twice or three times. */
export function linkageUnits(rows: number, { link, oneToOne }: LinkageSettings): number {
  return rows * (1 + (link === 'weights' ? 1 : 0) + (oneToOne ? 1 : 0));
}

/**
 * Links every row of a release with a record of the intruder's file by one comparison or more, and holds the links
 * against the truth.
 *
 * @param ownRecords for each row its record in the intruder's file, from 0, or -1
 * @returns stepwise, of {@link linkageUnits}
 */
export function* linkRelease(
  comparisons: readonly Comparison[],
  ownRecords: Int32Array,
  settings: LinkageSettings,
): Stepwise<LinkedRelease> {
  const { link, oneToOne, bands, tolerate } = settings;
  const rows = ownRecords.length;
  const compared =
    bands === null ? comparisons : comparisons.map((comparison) => ({ ...comparison, bands: comparison.bands.slice(0, bands) }));
  const pairs = new CandidatePairs(compared);
  let fitted: { readonly model: LinkageModel; readonly rows: number } | null = null;
  let judgement: Judgement = conjunction(compared);
  let done = 0;
  if (link === 'weights') {
    const patterns = yield* countPatterns(pairs, compared, rows);
    fitted = { model: fitLinkage(compared, patterns, pairs.records), rows: patterns.rows };
    judgement = weighted(fitted.model, pairs.records, tolerate);
    done += rows;
  }
  let links = yield* shifted(linkRecords(pairs, ownRecords, judgement), done);
  done += rows;
  if (oneToOne) links = yield* shifted(assignOneToOne(pairs, links, judgement), done);
  return {
    links,
    figures: linkageFigures(links, ownRecords, pairs.records),
    thresholds: linkageThresholds(links, ownRecords),
    comparisons: compared.map(({ name }, v) => ({ name, levels: fitted && levelsIn(fitted.model, v) })),
    model: fitted && {
      matchShare: fitted.model.matchShare,
      iterations: fitted.model.iterations,
      converged: fitted.model.converged,
      rows: fitted.rows,
    },
  };
}

function* shifted<Result>(work: Stepwise<Result>, by: number): Stepwise<Result> {
  let next = work.next();
  while (!next.done) {
    yield by + next.value;
    next = work.next();
  }
  return next.value;
}

function levelsIn({ matches, others, weights }: LinkageModel, v: number) {
  return Array.from(matches[v]!, (amongMatches, level) => ({
    amongMatches,
    amongOthers: others[v]![level]!,
    weightBits: weights[v]![level]!,
  }));
}
