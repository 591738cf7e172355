import type { ResultTable } from '../../shared/contracts/column.ts';
import { RECONSTRUCTION } from '../../shared/contracts/results/reconstruction/reconstruction-table.ts';
import { ATTRIBUTE_RISK, CANDIDATES } from '../../shared/contracts/results/tables/attribute-risk-table.ts';
import { CONTINUOUS_RISK } from '../../shared/contracts/results/tables/continuous-risk-table.ts';
import { VARIABLE_RISK } from '../../shared/contracts/results/tables/variable-risk-table.ts';
import { ATTACK, ATTACK_RECORDS } from '../../shared/pipeline/attack/store-attack.ts';
import { COMPARISON, DIFFERENCES } from '../../shared/pipeline/compare/store-comparison.ts';
import { LINKAGE, LINKAGE_THRESHOLDS } from '../../shared/pipeline/masking/store-linkage.ts';
import { INHERENT } from '../../shared/pipeline/results/bound-run.ts';
import { IDENTIFICATION_RISK } from '../../shared/pipeline/results/identify-records.ts';
import { RISK_AND_UTILITY, RISK_BY_PRIOR } from '../../shared/pipeline/results/store-privacy.ts';
import { GUESSES, MARGINALS } from '../../shared/pipeline/tables/cell-tables.ts';
import { CONTROL_MEMBERSHIP } from '../../shared/pipeline/tables/control-table.ts';
import { REMEDIES, REMEDIES_CONTINUOUS } from '../../shared/pipeline/tables/remedies-tables.ts';
import { UTILITY } from '../../shared/pipeline/utility/measure-run.ts';

/** Every table of results, in the order of the reference. */
export const TABLES: readonly ResultTable<never>[] = [
  ...[
    ATTRIBUTE_RISK,
    VARIABLE_RISK,
    CONTINUOUS_RISK,
    CONTROL_MEMBERSHIP,
    RECONSTRUCTION,
    IDENTIFICATION_RISK,
    UTILITY,
    GUESSES,
    MARGINALS,
    INHERENT,
  ],
  ...[ATTACK, ATTACK_RECORDS, LINKAGE, LINKAGE_THRESHOLDS, COMPARISON, DIFFERENCES, REMEDIES, REMEDIES_CONTINUOUS],
  ...[CANDIDATES, RISK_AND_UTILITY, RISK_BY_PRIOR],
];
