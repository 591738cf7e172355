/** Variables that a release keeps, and an intruder may know: the first, the first two, or all. */
export const KNOWN = ['SEX', 'AGE', 'MARST'];

/** Variables that are joined into the one that is synthesized, which then has nearly as many categories as Hu & Savitsky's (2018). */
export const JOINED = ['EDUC', 'EMPSTAT', 'OWNERSHP'];

/** What the joint variable is called in the file that the commands read. */
export const JOINT = 'JOINT';

/** Ages in their order, which an ordered regression predicts as Hu & Savitsky (2018) predict income (section 3.2). */
export const AGES = ['<15', '15', '16', '17', '[18,24]', '[25,35]', '[36,50]', '[51,70]', '>70'];

/** Whose regression is held to the table's, by the commonest joint value of grown-ups. */
export const REGRESSION = `AGE ~ SEX + MARST + ${JOINT}`;

/** Both synthesizers with the priors and truncations of Hu & Savitsky (2018), section 2.3, as settings of `model`, and their burn-in. */
export const SYNTHESIZERS = {
  dpmpm: { name: 'DPMPM', model: { name: 'dpmpm', classes: 40, concentration: { shape: 0.25, rate: 0.25 } }, burnIn: 5000 },
  areal: { name: 'DP-areal', model: { name: 'dp-areal', clusters: 50, concentration: { shape: 1, rate: 1 } }, burnIn: 1000 },
} as const;

/** The seed of what is simulated. */
export const SEED = 1;

/** Simulated tables of either kind. */
export const SIMULATED_TABLES = 3;

/** How much patterns prefer counties of their own, in logs, in the two kinds of simulated tables. */
export const DEPENDENCES = [0, 0.75];
