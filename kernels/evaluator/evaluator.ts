/**
 * The program of bench/plain/evaluator-reference.ts, two candidates at a time (f64x2) and a block of evaluations
 * at once: the same operations in the same order for each candidate and evaluation, so that the results are the same to
 * the last bit. See there for the mathematics; here are the memory and the blocks.
 */
import { CELL_NUMBERS, openCells, weighCells } from './continuous-sets';
import {
  at,
  BLOCK,
  blocks,
  cells,
  cellSets,
  chainCounts,
  count,
  entryCandidates,
  entryValues,
  estimates,
  figures,
  geometric,
  GIVEN,
  givenPrior,
  groups,
  groupSizes,
  guesses,
  means,
  MODEL,
  otherEstimates,
  others,
  precisions,
  priorEstimates,
  priors,
  priorSource,
  resamples,
  setEntries,
  sets,
  setValues,
  tolerances,
  truthEntries,
  values,
  weighsHalves,
  width,
} from './evaluator-memory';
import { judge, raise } from './judgement';
import { addGroup, blockLength, poolGroup, takeLogs } from './pooled-terms';
import { FIGURES, findTolerances, openSet, tieResamples, weighSet } from './value-sets';

export {
  candidates,
  cellEntries,
  cells,
  cellSets,
  chainCounts,
  chains,
  coefficients,
  entries,
  entryCandidates,
  entryValues,
  estimates,
  evaluations,
  figures,
  geometric,
  givenPrior,
  groups,
  groupSizes,
  guesses,
  informationBits,
  logBayesFactors,
  losses,
  means,
  mostChains,
  otherEstimates,
  others,
  precisions,
  prepare,
  priorEstimates,
  priorGroup,
  priorSource,
  probabilities,
  ranked,
  ranks,
  resamples,
  safeLeast,
  safeMost,
  setEntries,
  sets,
  setValues,
  shareChains,
  shareCount,
  shares,
  shareStarts,
  stretches,
  stride,
  terms,
  truthEntries,
  weighsHalves,
} from './evaluator-memory';
export { intervalTail } from './continuous-sets';
export { tieErrors, tieMost, tieResamples, tieRounding } from './value-sets';

/** Opens a set by its number, and where its first entry is in bytes; returns its entries. */
function open(s: i32, entry: usize): i32 {
  const entries = count(setEntries, s);
  openSet(entries, count(setValues, s), entryCandidates + entry, entryValues + entry);
  return entries;
}

/** What ties in each value set, from the priors of the first block. */
function findTies(): void {
  let entry: usize = 0;
  for (let s = 0; s < sets - cellSets; s++) {
    const entries = open(s, entry);
    if (entries > 0) findTolerances(priors, width, tieResamples, tolerances + (entry << 1));
    entry += <usize>entries << 2;
  }
}

/** Figures of all value sets from log-likelihoods and priors, into a row of `figures`. */
function weigh(prior: usize, row: usize, index: i32): void {
  let entry: usize = 0;
  for (let s = 0; s < sets - cellSets; s++) {
    const entries = open(s, entry);
    if (entries > 0) {
      const own = figures + (<usize>((index * sets + s) * FIGURES) << 3);
      weighSet(prior, row, tolerances + (entry << 1), own, index == 0 ? guesses + (<usize>s << 3) : 0);
    }
    entry += <usize>entries << 2;
  }
  let cell = cells;
  for (let c = 0; c < cellSets; c++) {
    const s = sets - cellSets + c;
    const entries = count(setEntries, s);
    if (entries == 0) continue;
    openCells(entries, entryCandidates + entry, cell, count(truthEntries, c), at(precisions, c));
    weighCells(prior, row, figures + (<usize>((index * sets + s) * FIGURES) << 3));
    entry += <usize>entries << 2;
    cell += <usize>(entries * CELL_NUMBERS) << 3;
  }
}

/** Figures of the value sets from the log-likelihoods in `otherEstimates`, with the prior of the estimate. */
export function weighOther(other: i32): void {
  weigh(priorEstimates, otherEstimates, 1 + resamples + other);
}

/** Raises and judges the evaluations of a block; returns whether every estimate is finite. */
function judgeBlock(block: i32, slope: f64): bool {
  const length = blockLength(block);
  for (let b = 0; b < length; b++) {
    const evaluation = block * BLOCK + b;
    const row = values + <usize>b * width;
    const own = priors + <usize>b * width;
    if (!raise(row, evaluation, slope)) return false;
    judge(row, priorSource == MODEL ? own : priorSource == GIVEN ? givenPrior : 0, evaluation);
    if (evaluation <= resamples) weigh(own, row, evaluation);
    else if (weighsHalves != 0) weigh(own, row, others + evaluation);
  }
  return true;
}

/** Evaluates the combination whose `means` are in memory; returns whether every estimate is finite. */
export function evaluate(slope: f64): bool {
  let firstTerm = 0;
  let mean = means;
  for (let group = 0; group < groups; group++) {
    const end = firstTerm + count(groupSizes, group);
    for (; firstTerm < end; firstTerm++) {
      const chains = count(chainCounts, firstTerm);
      if (count(geometric, group) != 0) takeLogs(mean, chains);
      mean += <usize>chains * width;
    }
  }
  for (let block = 0; block < blocks; block++) {
    memory.fill(values, 0, BLOCK * width);
    firstTerm = 0;
    mean = means;
    for (let group = 0; group < groups; group++) {
      poolGroup(group, firstTerm, mean, block);
      addGroup(group, block);
      const end = firstTerm + count(groupSizes, group);
      for (; firstTerm < end; firstTerm++) mean += <usize>count(chainCounts, firstTerm) * width;
    }
    if (block == 0) findTies();
    if (!judgeBlock(block, slope)) return false;
    if (block > 0) continue;
    memory.copy(estimates, values, width);
    memory.copy(priorEstimates, priors, width);
  }
  return true;
}
