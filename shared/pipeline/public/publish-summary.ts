import { encodeJson, readJson } from '../../artifacts/stored-json.ts';
import { knowledgeInWords } from '../../contracts/config/knowledge.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import { type PublicFigure, type PublicSummary, publicSummarySchema } from '../../contracts/release/public-summary.ts';
import { type AttributeRiskSummary, type Summary, summarySchema } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { KeyedStreams } from '../../random/streams.ts';
import { renderPublic } from '../../report/public/render-public.ts';
import type { Store } from '../../storage/store.ts';
import { disclosureFigure, isTold, matchFigures, probabilityFigures, type Tellable, tablesFigure } from './public-figures.ts';
import { noiseScale, numbersTold, PAGE_NATS, tellFigure, tellPair } from './told-figure.ts';

/** Noise of a larger standard deviation leaves nothing worth printing of a share. */
const MOST_NOISE = 0.1;

/** Opens the stream of a figure's noise, by a name that holds all figures of the page: nobody but the streams may see it. */
export type OpenNoise = (name: string) => RandomSource;

/**
 * What of a run anybody may know. Which figures there are follows from its settings alone, how much noise they get from
 * their number and that of the records.
 *
 * @throws UnsupportedOptionError where no figure may be told, or where so much noise would leave nothing of it
 */
export function publishSummary(summary: Summary, openNoise: OpenNoise): PublicSummary {
  const { version, table, model, synthesis } = summary;
  if (!summary.assessable) {
    throw refusal('The datasets are not assessable, so that no figure of them is one of synthetic data.');
  }
  const risks = summary.attributeRisk.map((risk) => ({ risk, ...probabilityFigures(risk, summary) }));
  const matchers = summary.identificationRisk.filter((risk) => risk.applies).map((risk) => ({ risk, ...matchFigures(risk) }));
  const disclosures = disclosureFigure(summary);
  const [oneWay, twoWay] = [tablesFigure(summary.utility, 1), tablesFigure(summary.utility, 2)];
  const figures = [
    ...risks.flatMap(({ before, after }) => [before, after]),
    ...matchers.flatMap(({ expected, unique }) => [expected, unique]),
    disclosures,
    oneWay,
    twoWay,
  ].filter(isTold);
  if (figures.length === 0) {
    throw refusal('This run has no figure that anybody may know: its settings leave none that one record moves by little.');
  }
  const numbers = figures.reduce((sum, figure) => sum + numbersTold(figure), 0);
  refuseNoise(Math.max(...figures.map((figure) => figure.movesByRecords)), table.records, numbers);
  // Noise is of these very figures: whatever differs, in another run or under another value of a record, has noise of its own,
  // so that no two pages have some that cancels.
  const content = JSON.stringify({ records: table.records, figures });
  const tell = (figure: Tellable, name: string): PublicFigure => {
    if (!isTold(figure)) return { value: null, error: null, reason: figure.reason };
    const scale = noiseScale(figure.movesByRecords, table.records, numbers);
    return tellFigure(figure, scale, openNoise(`public/${version}/${content}/${name}`));
  };
  return {
    version,
    table: { records: table.records, variables: table.variables },
    model: { name: model.name, ...statedEpsilon(summary.attributeRisk) },
    synthesis: { datasets: synthesis.datasets, kind: synthesis.kind, synthesized: synthesis.synthesized },
    attributeRisk: risks.map(({ risk, before, after }, index) => {
      const toldBefore = tell(before, `before/${index + 1}`);
      const told = tellPair(toldBefore, tell(after, `after/${index + 1}`));
      return {
        scenario: index + 1,
        candidates: risk.candidates,
        knows: risk.knows === undefined ? 'all records but one' : knownInWords(risk.knows),
        probabilityTrueBefore: toldBefore,
        probabilityTrueAfter: told.after,
        probabilityTrueAdded: told.added,
      };
    }),
    // Follows from the settings alone.
    membershipTested: summary.attributeRisk.some(({ membership }) => membership !== null),
    identificationRisk: matchers.map(({ risk, expected, unique }, index) => ({
      known: risk.known,
      synthesized: risk.synthesized,
      radii: risk.sweep ? {} : risk.radii,
      expectedMatchShare: tell(expected, `expected-match/${index + 1}`),
      trueMatchRate: tell(unique, `true-match/${index + 1}`),
    })),
    exactDisclosureShare: tell(disclosures, 'exact-disclosure'),
    oneWayTotalVariation: tell(oneWay, 'one-way'),
    twoWayTotalVariation: tell(twoWay, 'two-way'),
    noise: { numbers, nats: PAGE_NATS },
  };
}

const knownInWords = (knows: NonNullable<AttributeRiskSummary['knows']>) => knowledgeInWords(knows === 'file' ? { file: 'file' } : knows);

function statedEpsilon([first]: readonly AttributeRiskSummary[]): { epsilon?: number } {
  return first?.epsilon === undefined ? {} : { epsilon: first.epsilon };
}

function refuseNoise(movesByRecords: number, records: number, numbers: number): void {
  if (Math.SQRT2 * noiseScale(movesByRecords, records, numbers) <= MOST_NOISE) return;
  const needed = Math.ceil((Math.SQRT2 * movesByRecords * numbers) / (MOST_NOISE * PAGE_NATS));
  throw refusal(
    `Of ${records} records every figure would be noise: a page of ${numbers} numbers takes ${needed} records. Fewer scenarios make fewer numbers.`,
  );
}

const refusal = (message: string) => new UnsupportedOptionError('no-public-figures', message);

/**
 * Writes what of an assessed run anybody may know, as JSON and as a page, beside its confidential results: a person
 * takes them from there. Another call writes the same bytes.
 *
 * @param releaseKey of the run: its noise is drawn from streams that nobody else can open
 */
export async function publishRun(store: Store, { runId, config }: Plan, releaseKey: Uint8Array): Promise<void> {
  const { confidential } = runKeys(runId);
  const summary = await readJson(store, confidential.summary, summarySchema);
  const streams = new KeyedStreams(releaseKey, config.seed);
  const published = publicSummarySchema.parse(publishSummary(summary, (name) => streams.openReleased(name)));
  await store.put(confidential.publicSummary, encodeJson(published));
  await store.put(confidential.publicPage, new TextEncoder().encode(await renderPublic(published)));
}
