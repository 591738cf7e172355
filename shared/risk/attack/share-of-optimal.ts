import type { MembershipOutcome, OfOptimal, OptimalTest } from '../../contracts/results/attack.ts';

/** Standard errors by which the optimal AUC has to exceed one half, so that something can be divided by the difference. */
const LEAST_ERRORS = 2;

/** The optimal tests of the run whose release is attacked, an element a scenario; null, with the reason, where there are none. */
export interface OptimalTests {
  readonly tests: readonly OptimalTest[] | null;
  readonly reason?: string;
}

/**
 * How much of what each optimal test finds an attack finds: s = (A - 1/2) / (B - 1/2), with A the AUC of the attack and B that of
 * the optimal test. Its error is that of the delta method, (Se(A)^2 + s^2 Se(B)^2)^(1/2) / (B - 1/2): A errs by which people are
 * tested, B by simulation and release, and these are independent. It may exceed 1, or be negative.
 */
export function sharesOfOptimal({ auc, aucSe }: Pick<MembershipOutcome, 'auc' | 'aucSe'>, tests: readonly OptimalTest[]): OfOptimal[] {
  return tests.map((optimal) => {
    const none = (reason: string) => ({ scenario: optimal.scenario, share: null, shareSe: null, reason });
    if (optimal.auc === null) return none(optimal.reason!);
    const found = optimal.auc - 0.5;
    const foundSe = optimal.aucSe!;
    if (found <= LEAST_ERRORS * foundSe || found <= 0) {
      return none(
        `The AUC of the optimal test is not above one half by ${LEAST_ERRORS} standard errors: it finds too little to be divided by.`,
      );
    }
    const share = (auc - 0.5) / found;
    return { scenario: optimal.scenario, share, shareSe: Math.hypot(aucSe, share * foundSe) / found };
  });
}
