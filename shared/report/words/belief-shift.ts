/** What the figures under the uniform prior are, whatever the intruder may know beforehand. */
export function beliefShift({ candidates }: { readonly candidates: string }): string {
  const guesses = candidates.startsWith('unknown') ? 'values' : `${candidates.replace(/s$/, '')} guesses`;
  return `Shift of the intruder’s belief (uniform prior over ${guesses})`;
}
