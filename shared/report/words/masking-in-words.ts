/** Methods of masking, as a page and a terminal call them. */
const METHODS: Readonly<Record<string, string>> = {
  'individual-ranking': 'microaggregation by individual ranking',
  mdav: 'microaggregation of several variables at once (MDAV)',
  'rank-swap': 'rank swapping',
  noise: 'additive noise',
  'noise-mixture': 'a mixture of additive noise',
  sample: 'sampling',
  errors: 'injected errors',
  'top-code': 'top coding',
  synthetic: 'synthetic data',
};

/** What a method of masking is called. */
export const methodInWords = (method: string): string => METHODS[method] ?? method;

/** Measures of information loss with their names, in the order in which they are shown. */
export const LOSS_MEASURES = {
  means: 'means',
  covariances: 'covariances',
  correlations: 'correlations',
  rankCorrelations: 'rank correlations',
  regressions: 'regression slopes',
} as const;

/** What those measures are in units of. */
export const LOSS_UNITS = 'Absolute differences between masked and original records, in units of the original standard deviations.';
