import { STARTER_RULES } from '../../shared/contracts/settings/starter-rules.ts';
import { markdownTable } from './insert-tables.ts';

/** The page on starter rules, from the rules themselves. */
export function renderStarterRules(): string {
  return `# Starter acceptance rules

A starting point for agencies that have no rules yet, and no recommendation: replace them by your own. They are ordinary
[acceptance rules](../how-to/your-table.md), recorded in the config of the run beside your own rules.

    synthrisk evaluate table.csv --accept-starter
    synthrisk evaluate table.csv --accept-starter --accept 'attributeRisk.firstGuessRightAfter <= 0.75'
    synthrisk schema --starter-rules > rules.yaml      # to edit; then --config rules.yaml

\`--accept-starter\` takes the rules that apply to the run. Every rule must be met, under every scenario. A figure that was
not measured does not meet its rule. Where other releases stand: [reference releases](../explanation/reference-releases.md).

${markdownTable(
  ['rule', 'for', 'reason', 'what is published'],
  STARTER_RULES.map(({ rule, runs, reason, published }) => [`\`${rule}\``, runs, reason, published]),
)}

El Emam 2013, El Emam et al. 2011: [references](references.md). That both the European Medicines Agency (Policy 0070) and
Health Canada (Public Release of Clinical Information) recommend 0.09 in most circumstances is as a provider of such
submissions reports it ([Real Life Sciences](https://rlsciences.com/the-ema-policy-0070-and-health-canada-public-release-of-clinical-information-prci-anonymization-report)).
`;
}
