import { readHeading } from '../../artifacts/report-heading.ts';
import { readCheckedJson, readJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { attackSummarySchema } from '../../contracts/results/attack.ts';
import { chainDiagnosticsSchema } from '../../contracts/results/chain-diagnostics.ts';
import { summarySchema } from '../../contracts/results/summary.ts';
import { evidenceDocx } from '../../report/evidence/evidence-docx.ts';
import { renderEvidence } from '../../report/evidence/render-evidence.ts';
import type { Store } from '../../storage/store.ts';

/** Writes the evidence pack of an assessed run from its summary, with what other tools measure where it was put beside it. */
export async function reportEvidence(store: Store, { runId }: { runId: string }): Promise<void> {
  const { confidential, chains } = runKeys(runId);
  const summary = await readJson(store, confidential.summary, summarySchema);
  const attack = (await store.head(confidential.attack)) ? await readJson(store, confidential.attack, attackSummarySchema) : null;
  const input = {
    summary,
    heading: await readHeading(store, runId),
    attack,
    chains: (await store.head(chains)) ? await readCheckedJson(store, chains, chainDiagnosticsSchema) : null,
  };
  await store.put(confidential.evidencePage, new TextEncoder().encode(await renderEvidence(input)));
  await store.put(confidential.evidenceDocument, await evidenceDocx(input));
}
