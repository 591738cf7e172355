import type { ChainSampler, ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { createDpmpm, type DpmpmSettings } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeFromOwnClass, synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import type { CombinationsOfRecords } from '../../shared/table/combinations.ts';
import { combinationsFromCodes, stackCombinations } from '../../shared/table/distinct-rows.ts';
import { stackedVariables } from '../../shared/table/replaced-columns.ts';
import { drawTargets, type Targets } from './draw-targets.ts';
import { LENGTHS, pooledLogMeans, type RunSide, type SideRun, sideRunner } from './paired-sides.ts';
import type { StudyTable } from './study-tables.ts';

/** Paired chains of a side that reach each of LENGTHS: a longer one tells as much as several short ones. */
const PAIRED_CHAINS = [4, 2, 1] as const;

/** Pairs of a dataset made elsewhere, each of which has a mode of its own. */
const PAIRS_ELSEWHERE = 4;

/** Chains that say what the table alone tells, where datasets are made elsewhere; other datasets' own sides say it. */
const BASE_CHAINS = 16;

/** Iterations between datasets of one chain, after which it has forgotten all but its mode. */
const SPACING = 250;

/** Where datasets are from. */
export type Made =
  /** Each from a chain of its own. */
  | { readonly by: 'own' }
  /** The same, those of the second table from as many tables as there are targets, in each of which one target differs alone. */
  | { readonly by: 'record' }
  /** So many from each chain. */
  | { readonly by: 'one'; readonly datasets: number }
  /** Each from a chain of its own, other values of some variables (from 0) alone: the others are kept. */
  | { readonly by: 'partial'; readonly synthesized: readonly number[] }
  /** Each from a chain of its own of a model with other settings, of which the intruder knows neither these nor the draws. */
  | { readonly by: 'elsewhere'; readonly settings: DpmpmSettings };

/** Two tables that differ in their targets, and datasets of both. */
export interface TwoTables {
  readonly name: string;
  readonly made: Made;
  /** Synthesizing chains of each table. */
  readonly chains: number;
  readonly burnIn: number;
  /** Lengths of the paired chains, in iterations. */
  readonly lengths: readonly number[];
  /** Targets that have another value in the second table: drawn from the model (typical) or with equal probabilities. */
  readonly typical: readonly boolean[];
  /**
   * Logarithm of the mean of r, that of the target's value in the second table against that in the first, over the
   * paired chains of a dataset: tables x datasets, those of one chain end to end, x 2 sides (on the first table stacked
   * with the dataset, and on it alone) x lengths x targets. Then, where datasets are made elsewhere, over each base
   * chain: chains x lengths x targets.
   */
  readonly logMeans: Float32Array;
}

/** What is run. */
export interface TwoTablesRequest {
  readonly name: string;
  readonly table: StudyTable;
  readonly made: Made;
  readonly seed: number;
  readonly chains: number;
  readonly burnIn: number;
  /** How many of LENGTHS the paired chains have. */
  readonly lengths: number;
  /** Share of the records that become targets, and the most of them. */
  readonly share: number;
  readonly mostTargets: number;
}

/** A model of one side, and what runs its chains. */
interface Side {
  readonly model: ChainSampler;
  readonly run: RunSide;
}

/** Datasets that each synthesizing chain makes. */
export const datasetsOfChain = (made: Made) => (made.by === 'one' ? made.datasets : 1);

/**
 * Makes the second table, runs the synthesizer on each, and finds for every dataset what the paired terms and the modes
 * say of each target, all on the first table. Which table a dataset is of is the truth that is to be found, and no chain
 * is given it but those that synthesize (docs/studies/modes.md).
 */
export function twoTables(request: TwoTablesRequest): TwoTables {
  const { name, table, made, seed, chains, burnIn, lengths, share, mostTargets } = request;
  const { codes, sizes, classes } = table;
  const records = codes.length / sizes.length;
  const names = sizes.map((_, k) => `${k}`);
  const asked = made.by === 'partial' ? { unknown: made.synthesized.map(String) } : 'one-change';
  const space = candidateSpace(asked, names, sizes);
  const rows = (of: Uint16Array) => combinationsFromCodes(of, records, sizes.length);
  const first = rows(codes).combinations;
  const settings: DpmpmSettings = { classes, concentration: { shape: 0.25, rate: 0.25 } };
  const firstModel = createDpmpm(first, sizes, settings);
  const wanted = Math.min(mostTargets, Math.floor(records * share));
  const targets = drawTargets(codes, space, firstModel, wanted, seed);
  const alone: Side = { model: firstModel, run: sideRunner(space, targets, first) };

  const synthesize = (of: CombinationsOfRecords, state: ChainState, random: RandomStream): Side => {
    if (made.by !== 'partial') {
      const dataset = rows(synthesizeRecords(state, sizes, records, random)).combinations;
      return { model: createDpmpm(stackCombinations(first, dataset), sizes, settings), run: alone.run };
    }
    const columns = synthesizeFromOwnClass(state, of, { sizes, synthesized: made.synthesized }, random);
    const variableOfColumn = stackedVariables(sizes, made.synthesized);
    const beside = Array.from({ length: records }, (_, i) => [
      ...codes.subarray(i * sizes.length, (i + 1) * sizes.length),
      ...columns.map((column) => column[i]!),
    ]);
    const { combinations } = combinationsFromCodes(Uint16Array.from(beside.flat()), records, variableOfColumn.length);
    const own = Uint16Array.from(targets.records.flatMap((record) => beside[record]!));
    return {
      model: createDpmpm(combinations, sizes, settings, variableOfColumn),
      run: sideRunner(space, targets, { codes: own, variableOfColumn }),
    };
  };
  /** Both sides from the generating draw. */
  const goOn = (stacked: Side, generating: ChainState, stream: string, only?: RunSide) =>
    [stacked, alone].map(({ model, run: runOfAll }, side) => {
      const run = only ?? runOfAll;
      const runs = Array.from({ length: PAIRED_CHAINS[0] }, (_, c) => {
        const random = new RandomStream(seed, `${stream}/${side === 0 ? 'stacked' : 'alone'}/${c}`);
        const reached = PAIRED_CHAINS.slice(0, lengths).filter((count) => c < count).length;
        return run(model, generating, random, reached);
      });
      return pooledLogMeans(runs, 'arithmetic');
    });
  /** Each pair afresh on the stacked table, and from there on the table alone. */
  const begin = (stacked: Side, stream: string) => {
    const pairs = Array.from({ length: PAIRS_ELSEWHERE }, (_, c): [SideRun, SideRun] => {
      const random = new RandomStream(seed, `${stream}/stacked/${c}`);
      const start = stacked.model.step(stacked.model.init(random), random, burnIn);
      const held = stacked.run(stacked.model, start, random, lengths);
      const free = new RandomStream(seed, `${stream}/alone/${c}`);
      return [held, alone.run(alone.model, held.last, free, lengths)];
    });
    const sides = [pairs.map(([held]) => held), pairs.map(([, free]) => free)];
    return sides.map((runs) => pooledLogMeans(runs, 'geometric'));
  };

  /** What a dataset says of each target, made from the first table but for that target. */
  const eachByItself = (stream: string) => {
    const said = targets.records.map((record, t) => {
      const only = targetAlone(targets, t, codes);
      const of = rows(only.altered);
      const synthesizer = createDpmpm(of.combinations, sizes, settings);
      const random = new RandomStream(seed, `${stream}/${record}`);
      const state = synthesizer.step(synthesizer.init(random), random, burnIn);
      return goOn(synthesize(of, state, random), state, `${stream}/${record}`, sideRunner(space, only, first)).flat();
    });
    return said[0]!.map((_, place) => Float64Array.from(said, (ofTarget) => ofTarget[place]![0]!));
  };

  const found: Float64Array[] = [];
  for (const [label, of] of [rows(codes), rows(targets.altered)].entries()) {
    const theirs = made.by === 'elsewhere' ? made.settings : settings;
    const synthesizer = createDpmpm(of.combinations, sizes, theirs);
    for (let c = 0; c < chains; c++) {
      const stream = `two-tables/${label}/${burnIn}/${c}`;
      if (made.by === 'record' && label === 1) {
        found.push(...eachByItself(stream));
        continue;
      }
      const random = new RandomStream(seed, stream);
      let state = synthesizer.step(synthesizer.init(random), random, burnIn);
      for (let d = 0; d < datasetsOfChain(made); d++) {
        if (d > 0) state = synthesizer.step(state, random, SPACING);
        const stacked = synthesize(of, state, random);
        const own = `${stream}/${d}`;
        found.push(...(made.by === 'elsewhere' ? begin(stacked, own) : goOn(stacked, state, own)).flat());
      }
    }
  }
  for (let c = 0; made.by === 'elsewhere' && c < BASE_CHAINS; c++) {
    const random = new RandomStream(seed, `two-tables/base/${c}`);
    const start = firstModel.step(firstModel.init(random), random, burnIn);
    found.push(...pooledLogMeans([alone.run(firstModel, start, random, lengths)], 'arithmetic'));
  }
  const { typical } = targets;
  const logMeans = new Float32Array(found.length * typical.length);
  for (const [i, values] of found.entries()) logMeans.set(values, i * typical.length);
  return { name, made, chains, burnIn, lengths: LENGTHS.slice(0, lengths), typical, logMeans };
}

/** A target by itself, in a table where it alone has its other value. */
function targetAlone({ records, centres, candidates, typical, altered: all }: Targets, t: number, codes: Uint16Array): Targets {
  const variables = centres.length / records.length;
  const from = records[t]! * variables;
  const altered = codes.slice();
  altered.set(all.subarray(from, from + variables), from);
  return {
    records: [records[t]!],
    centres: centres.slice(t * variables, (t + 1) * variables),
    candidates: [candidates[t]!],
    typical: [typical[t]!],
    altered,
  };
}
