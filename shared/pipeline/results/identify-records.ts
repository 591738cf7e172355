import type { PartialRelease } from '../../artifacts/stored-release.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { finish } from '../../contracts/stepwise.ts';
import type { OpenedRelease } from '../../risk/bounds/opened-release.ts';
import { summarizeAttributeDisclosures } from '../../risk/identification/attribute-disclosures.ts';
import { disclosureRadii } from '../../risk/identification/disclosure-radii.ts';
import { fullySyntheticRisk, identifyRelease } from '../../risk/identification/identification-risk.ts';
import type { Store } from '../../storage/store.ts';
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
 * @param opened what the run's config says of its variables
 * @param release null where no variable is kept, or datasets alone were asked for
 */
export async function identifyRecords(
  store: Store,
  plan: Plan,
  schema: TableSchema,
  { synthesized, scenarios }: OpenedRelease,
  release: PartialRelease | null,
): Promise<IdentificationResults> {
  const names = (variables: readonly number[]) => variables.map((v) => schema.variables[v]!.name);
  if (plan.config.synthesis.synthesized === 'all') {
    const given = scenarios.map((one) => fullySyntheticRisk(one.name, names(one.known), names(one.synthesized ?? synthesized), 'declared'));
    return {
      identificationRisk: given.length > 0 ? given : [fullySyntheticRisk(ANY_INTRUDER, [], names(synthesized), 'declared')],
      attributeDisclosures: null,
      attributeDisclosuresReason: 'No row of fully synthetic data belongs to a record.',
    };
  }
  if (release === null) {
    const reason = 'Datasets alone were asked for.';
    return { identificationRisk: [], identificationRiskReason: reason, attributeDisclosures: null, attributeDisclosuresReason: reason };
  }
  const { table, datasets } = release;
  const risks = finish(identifyRelease(table, datasets, scenarios));
  if (risks.length > 0) await writeIdentificationRisk(store, plan.runId, risks, table.records);
  const radii = disclosureRadii(schema, scenarios, synthesized, 'equal');
  return {
    identificationRisk: risks.map(({ summary }) => summary),
    ...(risks.length === 0
      ? { identificationRiskReason: 'No intruder who matches was described: name what such a one knows (identification, --known).' }
      : {}),
    attributeDisclosures: {
      ...summarizeAttributeDisclosures(table, datasets, synthesized, radii),
      radii: Object.fromEntries(schema.variables.flatMap(({ name }, v) => (radii[v] ? [[name, radii[v]]] : []))),
    },
  };
}
