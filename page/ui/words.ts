/** A number of seconds as people say it. */
export function inWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.round(minutes)} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}

/** What a run is doing, by phase. */
export const DOING = {
  fit: 'Fitting the model',
  synthesize: 'Drawing the datasets',
  augment: 'Running the paired chains',
  assess: 'Scoring every combination',
  report: 'Putting the results together',
} as const;

/** What lets a person scroll a wide table by keyboard. */
export const SCROLLED = { tabIndex: 0 } as const;
