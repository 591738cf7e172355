/** The study's one seed. */
export const SEED = 1;

/** Datasets of a release, m, and records' classes at most. */
export const DATASETS = 5;
export const CLASSES = 40;

/** H: proposals of an evaluation by Hu et al. (2014), and iterations between two. They say of neither how many they had. */
export const PROPOSALS = { draws: 500, thin: 10 };

/** Evaluations by Hu et al. (2014) of one release, each with proposals of its own. */
export const EVALUATIONS = 5;

/** Resamples of the proposals of an evaluation. */
export const RESAMPLES = 200;

/** Iterations that a chain on a simulated table discards. */
export const BURN_IN = 2000;

/** Ranks that Hu et al. (2014) list in their Table 3: the first three. */
export const TOP = 3;

/** A pair of variables of which a figure shows the joint distribution, as Hu et al.'s (2014) Figures 1 and 2 do. */
export const PAIRS = [
  ['EMPSTAT', 'EDUC'],
  ['OWNERSHP', 'RACESING'],
] as const;

/** The regression of Hu et al.'s (2014) Table 2 as near as the table has its variables; the response is 1 for the category. */
export const REGRESSION = {
  response: 'DISABWRK',
  category: '4',
  /** Records for which the response is not applicable, of which the table of Hu et al. (2014) has none. */
  without: '0',
  predictors: ['SEX', 'VETSTAT', 'RACESING', 'MARST', 'EDUC', 'OWNERSHP'],
} as const;

/** Variables that an intruder does not know who knows the rest (Hu et al. 2014, eq. 16): 36 values, as many as in Hu et al. (2014). */
export const UNKNOWN = ['EMPSTAT', 'DISABWRK', 'VETSTAT'];
