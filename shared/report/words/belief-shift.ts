/** Priors in a word or two, by the name that the summary has for them. */
const PRIORS: Readonly<Record<string, string>> = {
  uniform: 'uniform prior',
  empirical: 'prior from the other records',
  model: 'prior of the model without the record',
  file: 'prior that was given',
};

/** What was believed before the release, in a word or two. */
export const priorInShort = (prior: string) => PRIORS[prior] ?? prior;

/** What the figures under a scenario's prior are, whatever the intruder may know beside it. */
export function beliefShift({ candidates, prior }: { readonly candidates: string; readonly prior: string }): string {
  const guesses = candidates.startsWith('unknown') ? 'values' : `${candidates.replace(/s$/, '')} guesses`;
  return `Change in the intruder’s probabilities (${priorInShort(prior)} over ${guesses})`;
}
