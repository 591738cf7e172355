import type { MembershipSummary } from '../../contracts/results/membership.ts';

/** With whom members are compared. */
export const othersInWords = ({ others }: Pick<MembershipSummary, 'others'>): string =>
  others === 'control' ? 'people of the control, who are not in the table' : 'people drawn from the model, who are not in the table';

/** What a figure of 50 % means. */
export const AUC_SCALE = '50 % = nobody can tell; 100 % = everybody is found';
