import type { PartialRelease } from '../../artifacts/stored-release.ts';
import type { Radius } from '../../contracts/config/identification-scenario.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { summarizeAttributeDisclosures } from '../../risk/identification/attribute-disclosures.ts';
import {
  fullySyntheticRisk,
  type IdentificationRisk,
  identificationRisk,
} from '../../risk/identification/identification-risk.ts';
import { scenarioName } from '../../risk/identification/identification-scenario.ts';
import { runScenarios } from '../../risk/identification/run-scenarios.ts';
import type { Store } from '../../storage/store.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import { writeIdentificationRisk } from '../tables/identification-table.ts';

/** What a summary says of risks that need rows which belong to records. */
export type IdentificationResults = Pick<
  Summary,
  'identificationRisk' | 'identificationRiskReason' | 'attributeDisclosures' | 'attributeDisclosuresReason'
>;

/** Name of the scenario that a fully synthetic release is told of when it was given none. */
const ANY_INTRUDER = 'record linkage';

/**
 * Identification risk of a run's datasets under each of its scenarios, and exact attribute disclosures, with the table
 * of all matches; where none can be measured, why.
 *
 * @param release null where no variable is kept, or datasets alone were asked for
 */
export async function identifyRecords(
  store: Store,
  plan: Plan,
  schema: TableSchema,
  release: PartialRelease | null,
): Promise<IdentificationResults> {
  const scenarios = runScenarios(plan.config, schema);
  const { synthesized } = plan.config.synthesis;
  if (synthesized === 'all') {
    const names = schema.variables.map(({ name }) => name);
    const given = scenarios.map((one) =>
      fullySyntheticRisk(scenarioName(one), one.known, one.synthesized, 'declared'),
    );
    return {
      identificationRisk:
        given.length > 0 ? given : [fullySyntheticRisk(ANY_INTRUDER, [], names, 'declared')],
      attributeDisclosures: null,
      attributeDisclosuresReason: 'No row of fully synthetic data belongs to a record.',
    };
  }
  if (release === null) {
    const reason = 'Datasets alone were asked for.';
    return {
      identificationRisk: [],
      identificationRiskReason: reason,
      attributeDisclosures: null,
      attributeDisclosuresReason: reason,
    };
  }
  const { table, datasets } = release;
  const risks: IdentificationRisk[] = [];
  for (const scenario of scenarios) {
    risks.push(await identificationRisk(table, datasets.length, (l) => datasets[l]!, scenario));
  }
  if (risks.length > 0) await writeIdentificationRisk(store, plan.runId, risks, table.records);
  const radii = disclosureRadii(schema, scenarios);
  return {
    identificationRisk: risks.map(({ summary }) => summary),
    ...(risks.length === 0
      ? {
          identificationRiskReason:
            'No intruder who matches was described: name what such a one knows (identification, --known).',
        }
      : {}),
    attributeDisclosures: {
      ...summarizeAttributeDisclosures(table, datasets, synthesizedVariables(synthesized, schema), radii),
      radii: Object.fromEntries(
        schema.variables.flatMap(({ name }, v) =>
          radii[v] && synthesized.includes(name) ? [[name, radii[v]]] : [],
        ),
      ),
    },
  };
}

/**
 * The radius within which each variable counts as disclosed: that which the scenarios name, if it is one. Where they
 * name none or several, values must be equal.
 */
function disclosureRadii(
  { variables }: TableSchema,
  scenarios: ReturnType<typeof runScenarios>,
): (Radius | undefined)[] {
  return variables.map(({ name }) => {
    const radii = scenarios.flatMap(({ radius }) => radius[name] ?? []);
    const texts = new Set(radii.map((radius) => JSON.stringify(radius)));
    return texts.size === 1 ? radii[0] : undefined;
  });
}
