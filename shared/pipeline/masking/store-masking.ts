import { encodeJson } from '../../artifacts/stored-json.ts';
import type { Masking } from '../../contracts/config/masking.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { MaskingResult } from '../../contracts/results/masking.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { VERSION } from '../../contracts/version.ts';
import { type ColumnPair, informationLoss, maskedUtility, subdomainsOf } from '../../masking/information-loss.ts';
import type { MaskedTable } from '../../masking/mask-table.ts';
import { renderMasking } from '../../report/render-masking.ts';
import { formatQuantity } from '../../report/words/format-number.ts';
import type { Store } from '../../storage/store.ts';
import { recordTexts } from '../../table/category-text.ts';
import { encodeCsv } from '../../table/files/write-csv.ts';
import type { PlannedMasking } from './plan-masking.ts';

/** What was masked and what is lost by it, as it is stored and printed. */
export function maskingResult(
  { runId, table, places, subdomains, warnings }: PlannedMasking,
  { masking, seed }: { readonly masking: Masking; readonly seed: number },
  masked: MaskedTable,
): MaskingResult {
  const { variables } = table.schema;
  const nameOf = (v: number) => variables[v]!.name;
  const pairs = places.variables.map((v) => pairOf(masked, v));
  const { percent, reason } = informationLoss(pairs);
  return {
    version: VERSION,
    runId,
    seed,
    method: masking.how.method,
    k: 'k' in masking.how ? masking.how.k : null,
    masking,
    table: { records: table.records, variables: variables.length },
    records: masked.rows.length,
    variables: places.variables.map(nameOf),
    swapped: places.swap.map(nameOf),
    groups: masked.groups,
    informationLossPercent: percent,
    ...(reason === undefined ? {} : { informationLossReason: reason }),
    variableLosses: pairs.flatMap((pair, place) => {
      const loss = informationLoss([pair]).percent;
      return loss === null ? [] : [{ variable: nameOf(places.variables[place]!), informationLossPercent: loss }];
    }),
    utility: maskedUtility(pairs),
    subdomains: subdomains.flatMap((variable) => {
      const { domains } = subdomainsOf(masked.original, variable);
      return domains.map((records, domain) => {
        const within = pairs.map((pair) => pairWithin(pair, records));
        const loss = informationLoss(within);
        return {
          variable: nameOf(variable),
          domain: domain + 1,
          domains: domains.length,
          records: records.length,
          informationLossPercent: loss.percent,
          ...(loss.reason === undefined ? {} : { informationLossReason: loss.reason }),
          utility: maskedUtility(within),
        };
      });
    }),
    warnings: [...warnings, ...(masked.alone > 0 ? [aloneInStrata(masked)] : [])],
  };
}

const aloneInStrata = ({ alone, rows }: MaskedTable): Warning => ({
  code: 'alone-in-strata',
  message: `${formatQuantity(alone, 'record')} of ${rows.length}: no other record agrees on --strata, and what --swap names stayed as it was.`,
});

function pairOf({ original, masked }: MaskedTable, v: number): ColumnPair {
  const [before, after] = [original.columns[v]!, masked.columns[v]!];
  if (before.type !== 'continuous' || after.type !== 'continuous') throw new RangeError('a categorical variable has no values to mask');
  return { original: before.values, masked: after.values };
}

const pairWithin = ({ original, masked }: ColumnPair, records: Uint32Array): ColumnPair => ({
  original: Float64Array.from(records, (record) => original[record]!),
  masked: Float64Array.from(records, (record) => masked[record]!),
});

/**
 * Stores a masked table, to release if a person decides so, which record each of its rows is, and what is lost; the
 * document comes last and says that everything is there.
 */
export async function storeMasking(store: Store, { masked, rows }: MaskedTable, result: MaskingResult): Promise<void> {
  const { release, confidential } = runKeys(result.runId);
  const header = masked.schema.variables.map(({ name }) => name);
  await store.put(release.masked(1), encodeCsv(header, recordTexts(masked)));
  const numbered = Array.from(rows, (record, row) => [row + 1, record + 1]);
  await store.put(confidential.maskedRows, encodeCsv(['row', 'record'], numbered));
  await store.put(confidential.maskingReport, new TextEncoder().encode(await renderMasking(result)));
  await store.put(confidential.masking, encodeJson(result));
}
