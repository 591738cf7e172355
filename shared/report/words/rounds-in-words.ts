import type { Judgement } from '../../contracts/run/round.ts';
import { formatFigure, formatQuantity } from './format-number.ts';

/** Chains in words: base chains, and pairs of chains of each dataset. */
function chainsInWords({ chains, pairedChains }: { chains: number; pairedChains: number }): string {
  return `${formatQuantity(chains, 'base chain')} and ${formatQuantity(pairedChains, 'paired chain')} of each dataset`;
}

/**
 * How many chains a run came to rest on and why, and what a further step would bring and cost.
 *
 * @param rounds of an assessed run, the last with an outcome; at least one
 */
export function roundsInWords(rounds: readonly Judgement[]): string {
  const { outcome, of, target, reproducibility, next, ...chains } = rounds.at(-1)!;
  const with_ = chainsInWords(chains);
  const found = reproducibility === null ? 'undefined' : formatFigure(reproducibility);
  const wanted = `a reproducibility of ${target} of the ${of}`;
  const account = {
    reached: `${wanted} was asked for, and ${formatQuantity(rounds.length, 'round')} of chains reached ${found}, with ${with_}`,
    'max-chains': `${wanted} was asked for, and not reached: ${with_} give ${found}, and the limit on chains allows no more`,
    undefined: `${wanted} was asked for, but it is undefined for this table`,
    'not-asked': `${with_}; no reproducibility was asked for`,
  }[outcome ?? 'not-asked'];
  if (next === null) return account;
  return `${account}. A further step would be ${chainsInWords(next)}: ${formatFigure(Math.round(100 * next.work))} % more work, for an expected ${formatFigure(next.reproducibility)} of the ${of}`;
}
