import { RandomStream } from '../../shared/random/random-stream.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { logWeights, type OneChainRisk, oneChainRisk, proposals, resampledRanks, withDraws } from './one-chain.ts';
import type { OneChainRelease } from './one-chain-release.ts';
import { EVALUATIONS, PROPOSALS, RESAMPLES, TOP } from './setting.ts';

/** Whether the draws that generated the datasets are among the proposals. */
export const READINGS = ['among', 'apart'] as const;

/** Either reading of what Hu et al. (2014) draw their proposals from. */
export type Reading = (typeof READINGS)[number];

/** What the published estimator gives for one release, in evaluations that differ in their proposals alone. */
export interface PublishedEvaluations {
  readonly risks: readonly OneChainRisk[];
  /**
   * Of every combination that the first evaluation ranks among the first, the share of resamples of its proposals that do so
   * too.
   */
  readonly confirmed: Float64Array;
}

/** Evaluates a release by Hu et al. (2014) again and again, with proposals from chains that go on from its own. */
export function publishedEvaluations(release: OneChainRelease, name: string, seed: number): Record<Reading, PublishedEvaluations> {
  const { table, sizes, model, generating, datasets } = release;
  const space = candidateSpace('one-change', sizes.map(String), sizes);
  const stream = (part: string) => new RandomStream(seed, `census/${name}/${part}`);
  const chains = Array.from({ length: EVALUATIONS }, (_, e) => {
    const start = generating[e % generating.length]!;
    return proposals(model, start, PROPOSALS, stream(`proposals/${e + 1}`));
  });
  const evaluate = (reading: Reading): PublishedEvaluations => {
    const drawn = chains.map((chain) => (reading === 'among' ? withDraws(chain, generating) : chain));
    const weights = drawn.map((chain) => logWeights(datasets, chain));
    const risks = drawn.map((chain, e) => oneChainRisk(space, table.codes, chain, weights[e]!));
    const top = [...risks[0]!.rank.keys()].filter((i) => risks[0]!.rank[i]! <= TOP);
    const codes = Uint16Array.from(top.flatMap((i) => [...table.codes.subarray(i * sizes.length, (i + 1) * sizes.length)]));
    const random = stream(`resamples/${reading}`);
    const ranks = resampledRanks(space, codes, drawn[0]!, weights[0]!, RESAMPLES, random);
    return { risks, confirmed: Float64Array.from(top, (_, i) => ranks.filter((of) => of[i]! <= TOP).length / ranks.length) };
  };
  return { among: evaluate('among'), apart: evaluate('apart') };
}
