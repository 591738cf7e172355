import { isRanked } from '../../contracts/results/ranked-figures.ts';
import type { Summary } from '../../contracts/results/summary.ts';

/** Something that a run measures or does not, with the reason why not. */
export interface Measurement {
  readonly name: string;
  /** Null where it was measured. */
  readonly reason: string | null;
}

/** The first clause of a reason: the section that would have the figures has it whole. */
const firstClause = (text: string) => text.replace(/[.:;] .*/s, '').replace(/\.$/, '');

/** What a release can be asked, and whether this run asked it. */
export function measurements(summary: Summary): Measurement[] {
  const { attributeRisk, attributeRiskReason, identificationRisk, identificationRiskReason, utility, utilityReason } = summary;
  const [risk] = attributeRisk;
  const matched = identificationRisk.find(({ applies }) => !applies);
  const of = (name: string, isMeasured: boolean, reason: string | undefined) => ({
    name,
    reason: isMeasured ? null : firstClause(reason ?? 'not asked for'),
  });
  return [
    of(
      'Attribute disclosure: single values',
      risk !== undefined && risk.gainBitsMean !== null,
      risk?.gainBitsReason ?? attributeRiskReason,
    ),
    of('Attribute disclosure: whole records, ranked', risk !== undefined && isRanked(risk), risk?.rankedReason ?? attributeRiskReason),
    of('Membership', risk !== undefined && risk.membership !== null, risk?.membershipReason ?? attributeRiskReason),
    of(
      'Identification by matching',
      identificationRisk.some(({ applies }) => applies),
      identificationRiskReason ?? (matched?.applies === false ? matched.reason : undefined),
    ),
    of(
      'Reconstruction by an intruder who has the release alone',
      attributeRisk.some(({ reconstruction }) => reconstruction !== null),
      risk === undefined ? attributeRiskReason : 'no scenario has an intruder who knows nothing',
    ),
    of('Exact copies', summary.copies !== null, undefined),
    of('Utility', utility !== null, utilityReason),
  ];
}
