import type { Command } from 'commander';
import { addBoundsFlag, addIdentificationFlags } from './identification-flags.ts';
import { addControlFlag, addGoalFlags, addRiskFlags } from './risk-flags.ts';
import { addCommonFlags, addModelFlags, addReportFlags, addSynthesisFlags } from './run-flags.ts';
import { addUtilityFlags, addUtilityOffFlag } from './utility-flags.ts';

/** Adds every flag of an evaluation, for the commands that carry one out or tell what it would take. */
export function addEvaluationFlags(command: Command): Command {
  return addGoalFlags(
    addControlFlag(
      addRiskFlags(
        addUtilityOffFlag(
          addUtilityFlags(addBoundsFlag(addIdentificationFlags(addSynthesisFlags(addModelFlags(addReportFlags(addCommonFlags(command))))))),
        ),
      ),
    ),
  );
}
