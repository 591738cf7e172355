import type { ReconstructionSummary } from '../../contracts/results/reconstruction/reconstruction.ts';

/** What the combinations that are named are looked for in beside the table. */
export const baselineInWords = ({ baselineOf }: Pick<ReconstructionSummary, 'baselineOf'>): string =>
  baselineOf === 'control' ? 'as many records of other people (the control)' : 'a table of as many other people (drawn from the model)';
