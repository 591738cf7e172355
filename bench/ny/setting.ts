/** Variables that a release keeps, and an intruder may know: the first, the first two, or all. */
export const KNOWN = ['SEX', 'AGE', 'MARST'];

/** Variables that are joined into the one that is synthesized, which then has nearly as many categories as 001's. */
export const JOINED = ['EDUC', 'EMPSTAT', 'OWNERSHP'];

/** Chains of each synthesizer, which share its datasets. */
export const CHAINS = 4;

/** The study's one seed. */
export const SEED = 1;

/** Simulated tables of either kind. */
export const SIMULATED_TABLES = 3;

/** How much patterns prefer counties of their own, in logs, in the two kinds of simulated tables. */
export const DEPENDENCES = [0, 0.75];
