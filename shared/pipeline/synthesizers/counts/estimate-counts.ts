import { openScenarios } from '../../../contracts/run/scenarios.ts';
import { plannedCount, plannedEpsilon } from '../../../model/conjugate/added-count.ts';
import { drawRecords } from '../../../model/conjugate/draw-records.ts';
import { RandomStream } from '../../../random/random-stream.ts';
import { seededStreams } from '../../../random/streams.ts';
import { attributeRisk } from '../../../risk/attribute/attribute-risk.ts';
import { exactCells } from '../../../risk/exact/exact-cells.ts';
import { countRelease, exactTerms } from '../../../risk/exact/exact-terms.ts';
import { type CandidateSpace, candidateSpace } from '../../../risk/intruder/candidate-space.ts';
import { cellOrder } from '../../../risk/intruder/cell-order.ts';
import { rowValueSets } from '../../../risk/intruder/value-sets.ts';
import { categorySizes } from '../../../table/category-sizes.ts';
import type { MeasuredRun } from '../run-sizes.ts';
import { type Measuring, type TaskEstimate, timed } from '../task-estimate.ts';

const MIB = 1024 * 1024;

/** Combinations that are assessed to see how long it takes. */
const SAMPLE = 64;

/** Expected time and disk of a planned run by counts: one dataset is drawn, and some combinations assessed. */
export function estimateCounts(planned: MeasuredRun, { jobs }: Measuring): TaskEstimate {
  const { plan, schema } = planned;
  const combinations = planned.combinations!;
  const { seed } = plan.config;
  const { count, variables, codes: all } = combinations;
  const sizes = categorySizes(schema);
  const alpha = plannedCount(plan);
  const random = new RandomStream(seed, 'calibration');
  const drawn = timed(() => drawRecords(combinations, sizes, alpha, plan.table.records, random));
  const datasets = plan.datasets.count;
  const names = schema.variables.map(({ name }) => name);
  const sample = Math.min(SAMPLE, count);
  const codes = all.subarray(0, sample * variables);
  const release = countRelease(combinations, new Array(datasets).fill(drawn.result.combinations), {
    sizes,
    alpha,
    epsilon: plannedEpsilon(plan.config),
  });
  const secondsOf = (space: CandidateSpace) =>
    timed(() =>
      space.kind === 'all-cells'
        ? exactCells(release, cellOrder(sizes), codes)
        : attributeRisk({
            terms: exactTerms(release, space, codes).terms,
            counts: combinations.counts.subarray(0, sample),
            candidates: space.perCombination,
            streams: seededStreams(seed),
            slope: 1,
            sets: rowValueSets(space, codes),
          }),
    ).seconds / sample;
  const ofScenarios = openScenarios(plan).map(({ candidates, batches }) => {
    const space = candidateSpace(candidates, names, sizes);
    const rows = batches.reduce((sum, { from, to }) => sum + to - from, 0);
    return { rows, candidates: rows * space.perCombination, seconds: rows === 0 ? 0 : rows * secondsOf(space) };
  });
  const total = (figure: 'rows' | 'candidates' | 'seconds') => ofScenarios.reduce((sum, own) => sum + own[figure], 0);
  const combination = total('seconds') / Math.max(1, total('rows'));
  const rounds = Math.ceil(datasets / jobs) * drawn.seconds + total('seconds') / jobs;
  return {
    candidates: total('candidates'),
    chains: 0,
    iterations: 0,
    trees: 0,
    draws: 0,
    minutes: rounds / 60,
    diskMiB: (datasets * drawn.result.combinations.count * (2 * variables + 4)) / MIB,
    secondsPer: { iteration: 0, stackedIteration: 0, combination, dataset: drawn.seconds },
  };
}
