/** What the kernel of evaluations keeps in memory. The numbers that it is laid out by are set by the host. */
import { aligned, reserve, VECTOR } from '../math/memory';
import { CELL_NUMBERS, layOutCells } from './continuous-sets';
import { FIGURES, layOut } from './value-sets';

/** Evaluations that are formed together. */
export const BLOCK: i32 = 32;
/** Candidates that are pooled together: eight vectors of two, whose sums stay in registers. */
export const TILE: i32 = 16;

/** Candidates of the present combination, at most those that were laid out; what pads their rows is 1. */
export let candidates: i32 = 0;
/** Those of them, the first ones, that are ranked among each other; the others are of continuous variables alone. */
export let ranked: i32 = 0;
/** The estimate, its resamples and halves. */
export let evaluations: i32 = 0;
/** Resamples, which follow the estimate. */
export let resamples: i32 = 0;
/** Groups of terms that count alike. */
export let groups: i32 = 0;
/** Terms of all groups. */
export let terms: i32 = 0;
/** Chains of all terms together. */
export let chains: i32 = 0;
/** The most chains of a term. */
export let mostChains: i32 = 0;
/** Length of `shares`. */
export let shareCount: i32 = 0;
/** Between these a product is as accurate as its factors. */
export let safeLeast: f64 = 0;
/** See `safeLeast`. */
export let safeMost: f64 = 0;
/** Blocks of evaluations; the last may be shorter. */
export let blocks: i32 = 0;
/** The group of the one term whose expectation is the model's prior; -1 where nothing needs it. */
export let priorGroup: i32 = -1;
/** Where the intruder's prior of the candidates is: the same for all, in `givenPrior`, or the model's. */
export let priorSource: i32 = 0;
/** Of `priorSource`. */
export const GIVEN: i32 = 1;
/** Of `priorSource`. */
export const MODEL: i32 = 2;
/** Value sets of a combination. */
export let sets: i32 = 0;
/** Entries of all value sets of a combination, at most. */
export let entries: i32 = 0;
/** Value sets of continuous variables, which come last, and their entries, at most. */
export let cellSets: i32 = 0;
/** Whether halves of the chains are weighed as well: 1 or 0. */
export let weighsHalves: i32 = 0;
/** See `cellSets`. */
export let cellEntries: i32 = 0;
/** How often value sets are weighed beside the estimate and its resamples. */
export let others: i32 = 0;
/** Bytes of a row over candidates, padded to a multiple of four. */
export let width: usize = 0;

/** groups x stride, f64: what a group contributes to the estimate, around which resamples are stretched. */
export let centres: usize = 0;
/** BLOCK x stride, f64: what is being pooled. */
export let pooled: usize = 0;
/** BLOCK, u8: whether a product over terms has left the safe range at any candidate. */
export let unsafe: usize = 0;
/** The most chains of a term x TILE, f64: their means of the candidates that are pooled. */
export let tile: usize = 0;
/** BLOCK x stride, f64: log-likelihoods. */
export let values: usize = 0;
/** BLOCK x stride, f64: logarithms of the prior probabilities, up to a constant. */
export let priors: usize = 0;
/** stride, f64: log-likelihoods with the prior. */
export let scores: usize = 0;

/** Candidates of a row, with its padding. */
export let stride: i32 = 0;
/** groups, f64. */
export let coefficients: usize = 0;
/** groups, f64. */
export let stretches: usize = 0;
/** groups, u32: 1 where chains are pooled by the geometric mean. */
export let geometric: usize = 0;
/** groups, u32: terms of each group. */
export let groupSizes: usize = 0;
/** terms, u32: chains of each term. */
export let chainCounts: usize = 0;
/** terms x evaluations + 1, u32: where the chains that count in each evaluation of each term begin in the two lists that follow. */
export let shareStarts: usize = 0;
/** u32: which chain of the term. */
export let shareChains: usize = 0;
/** f64: its share. */
export let shares: usize = 0;
/** chains of all terms end to end x stride, f64: means of r_x of one combination; `evaluate` may change them. */
export let means: usize = 0;
/** candidates, f64: log-likelihoods in evaluation 0, times the slope. */
export let estimates: usize = 0;
/** evaluations, f64: rank of candidate 0. */
export let ranks: usize = 0;
/** evaluations, f64: posterior probability of candidate 0. */
export let probabilities: usize = 0;
/** evaluations, f64: information of the posterior, in bits. */
export let informationBits: usize = 0;
/** evaluations, f64: logarithm of the Bayes factor of candidate 0 against the others. */
export let logBayesFactors: usize = 0;
/** evaluations, f64: the farthest that a log-likelihood is from that of candidate 0. */
export let losses: usize = 0;
/** candidates, f64: logarithms of a prior that is given, up to a constant. */
export let givenPrior: usize = 0;
/** candidates, f64: the model's prior of evaluation 0, in logarithms. */
export let priorEstimates: usize = 0;
/** candidates, f64: log-likelihoods, times the slope, for `weighOther`. */
export let otherEstimates: usize = 0;
/** sets, u32: entries of each value set; a set without any has no figures. */
export let setEntries: usize = 0;
/** sets, u32: values of each value set. */
export let setValues: usize = 0;
/** entries of all sets end to end, u32: a candidate. */
export let entryCandidates: usize = 0;
/** entries of all sets end to end, u32: which value of its set the candidate has; the truth's is 0. */
export let entryValues: usize = 0;
/** entries of all sets end to end, f64: of each value of a set, from its first entry on, how far it may be from the truth and tie. */
export let tolerances: usize = 0;
/** entries of continuous sets end to end x CELL_NUMBERS, f64. */
export let cells: usize = 0;
/** continuous sets, f64: see `openCells`. */
export let precisions: usize = 0;
/** continuous sets, i32: see `openCells`. */
export let truthEntries: usize = 0;
/** (1 + resamples + others, and halves where they are weighed) x sets x FIGURES, f64. */
export let figures: usize = 0;
/** sets x 2, u32: the likeliest value before and after the release; 0 if the truth is one of them. */
export let guesses: usize = 0;

/** Lays the memory out by the numbers that the host has set; called once. */
export function prepare(): void {
  stride = (candidates + 3) & ~3;
  width = <usize>stride << 3;
  blocks = (evaluations + BLOCK - 1) / BLOCK;
  const column = <usize>evaluations << 3;
  coefficients = aligned(__heap_base, VECTOR);
  stretches = coefficients + (<usize>groups << 3);
  geometric = stretches + (<usize>groups << 3);
  groupSizes = geometric + (<usize>groups << 2);
  chainCounts = groupSizes + (<usize>groups << 2);
  shareStarts = chainCounts + (<usize>terms << 2);
  shareChains = shareStarts + (<usize>(terms * evaluations + 1) << 2);
  shares = aligned(shareChains + (<usize>shareCount << 2), VECTOR);
  means = aligned(shares + (<usize>shareCount << 3), VECTOR);
  centres = means + <usize>chains * width;
  pooled = centres + <usize>groups * width;
  tile = pooled + BLOCK * width;
  unsafe = tile + (<usize>(mostChains * TILE) << 3);
  values = unsafe + BLOCK;
  estimates = values + BLOCK * width;
  ranks = estimates + width;
  probabilities = ranks + column;
  informationBits = probabilities + column;
  logBayesFactors = informationBits + column;
  losses = logBayesFactors + column;
  givenPrior = aligned(losses + column, VECTOR);
  scores = givenPrior + width;
  priors = scores + width;
  priorEstimates = priors + BLOCK * width;
  otherEstimates = priorEstimates + width;
  tolerances = layOut(layOutCells(otherEstimates + width, cellEntries), entries);
  cells = tolerances + (<usize>entries << 3);
  precisions = cells + (<usize>(cellEntries * CELL_NUMBERS) << 3);
  figures = precisions + (<usize>cellSets << 3);
  setEntries = figures + (<usize>((others + (weighsHalves != 0 ? evaluations : 1 + resamples)) * sets * FIGURES) << 3);
  setValues = setEntries + (<usize>sets << 2);
  guesses = setValues + (<usize>sets << 2);
  truthEntries = guesses + (<usize>sets << 3);
  entryCandidates = truthEntries + (<usize>cellSets << 2);
  entryValues = entryCandidates + (<usize>entries << 2);
  reserve(entryValues + (<usize>entries << 2));
}

/** A number of an array, f64. */
export function at(array: usize, index: i32): f64 {
  return load<f64>(array + (<usize>index << 3));
}

/** A whole number of an array, u32. */
export function count(array: usize, index: i32): i32 {
  return load<u32>(array + (<usize>index << 2));
}
