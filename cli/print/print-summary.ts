import { join } from 'node:path';
import { isSimulated } from '../../shared/contracts/config/config.ts';
import { namesInWords } from '../../shared/contracts/in-command.ts';
import { isRanked, type RankedRisk } from '../../shared/contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary, Summary } from '../../shared/contracts/results/summary.ts';
import { RESOLVED_SCALE } from '../../shared/report/figures/resolved.ts';
import { type Html, textOf } from '../../shared/report/page/html.ts';
import { headlineIntruder, headlines } from '../../shared/report/review/headlines.ts';
import { measurements } from '../../shared/report/review/measured.ts';
import { verdictLine } from '../../shared/report/review/verdict.ts';
import { beliefShift } from '../../shared/report/words/belief-shift.ts';
import { copiesInWords } from '../../shared/report/words/copies-in-words.ts';
import { errorsInWords, shownError } from '../../shared/report/words/errors-in-words.ts';
import { formatDuration } from '../../shared/report/words/format-duration.ts';

import {
  formatCount,
  formatEstimate,
  formatFigure,
  formatMeasured,
  formatMemory,
  formatPercent,
  formatPercentEstimate,
  formatQuantity,
  formatRuled,
  formatSupported,
} from '../../shared/report/words/format-number.ts';
import { AUC_SCALE, othersInWords } from '../../shared/report/words/membership-in-words.ts';
import { baselineInWords } from '../../shared/report/words/reconstruction-in-words.ts';
import { roundsInWords } from '../../shared/report/words/rounds-in-words.ts';
import { uniqueInWords } from '../../shared/report/words/unique-in-words.ts';
import { gravestFirst, warningInFull, warningInShort } from '../../shared/report/words/warnings-in-words.ts';
import type { FinishedRun } from '../run/local-run.ts';
import { acceptanceExit, acceptanceLines } from './print-acceptance.ts';
import { riskLines } from './print-identification.ts';
import { utilityLines, withoutValues } from './print-utility.ts';
import { inTerminal, MOST_LINES, type Printing, writeLines } from './write-lines.ts';

/**
 * Identification risk and disclosed values as lines. Where no row belongs to a record, that each intruder who was
 * described has nothing to match.
 */
function matchLines({ identificationRisk, identificationRiskReason, attributeDisclosures }: Summary): string[] {
  if (attributeDisclosures === null) {
    const described = identificationRisk.filter(({ known }) => known.length > 0);
    return described.flatMap((risk) => ['', ...riskLines(risk, false)]);
  }
  const { all, synthesized, records, radii } = attributeDisclosures;
  const scenarios = identificationRisk.flatMap((risk) => ['', ...riskLines(risk, false)]);
  return [
    ...(identificationRisk.length > 0 ? scenarios : ['', `Identification risk: not measured. ${identificationRiskReason}`]),
    '',
    `True values of ${namesInWords(synthesized)} came out for ${formatFigure(all.mean)} of ${formatQuantity(records, 'record')} on average (${formatPercent(all.meanShare)}${Object.keys(radii).length > 0 ? '; numbers within their radii' : ''})`,
  ];
}

/** Values that one record alone has; nothing where no continuous variable comes from trees. */
function uniqueLines({ uniqueValues }: Summary): string[] {
  if (uniqueValues === undefined) return [];
  return ['', ...uniqueValues.map((own) => `${uniqueInWords(own)}.`)];
}

/** Where a release lies between its bounds; nothing where these were not asked for. */
function boundLines({ inherent }: Summary): string[] {
  if (inherent === undefined) return [];
  const { attributeDisclosures, identificationRisk, resamples } = inherent;
  const line = (title: string, { minimum, maximum, release, shareOfRange }: typeof attributeDisclosures) => {
    const [least, most, own] = [minimum, maximum, release].map((mean) => (mean === null ? 'undefined' : formatFigure(mean)));
    const share = shareOfRange === null ? '' : `, ${formatPercent(shareOfRange)} of the way`;
    return `  ${title}: least ${least}, most ${most}, this release ${own}${share}`;
  };
  return [
    '',
    `Bounds of such a release, from ${resamples} resamples each`,
    line('true values that came out', attributeDisclosures),
    ...identificationRisk.map(({ scenario, expectedMatchRisk }) => line(`expected match risk, ${scenario}`, expectedMatchRisk)),
  ];
}

/** What the release reveals about the true values of the observed records; nothing where no variable is asked for by itself. */
function valueLines(risk: AttributeRiskSummary): string[] {
  const { gainBitsMean, gainBitsClaimed, gainBitsExcess, gainBitsExcessSe } = risk;
  const gainError = shownError(risk, 'gainBitsMean');
  if (gainBitsMean === null) return [`  values of real records  not asked for: ${risk.gainBitsReason}`];
  const share = (value: number, error: number | null) =>
    error === null || error === 0 ? formatPercent(value) : formatPercentEstimate(value, error);
  const differ = gainBitsExcessSe === null ? '' : `; difference ${formatEstimate(gainBitsExcess!, gainBitsExcessSe)}`;
  return [
    '  true values of the observed records, one variable at a time (prior: the synthesizer fitted without the record)',
    ...(risk.uncertaintyResolved === null
      ? [`  uncertainty resolved    undefined: ${risk.uncertaintyResolvedReason}`]
      : [
          `  uncertainty resolved    ${share(risk.uncertaintyResolved, shownError(risk, 'uncertaintyResolved'))} of the ${formatSupported(risk.lackedBitsMean!, risk.lackedBitsMeanSe)} bits a record that the intruder lacked (${RESOLVED_SCALE})`,
        ]),
    ...(risk.firstGuessRightAfter === null
      ? []
      : [
          `  guessed correctly       ${share(risk.firstGuessRightAfter, shownError(risk, 'firstGuessRightAfter'))} of values, ${formatPercent(risk.firstGuessRightBefore!, risk.firstGuessRightBeforeSe)} without the release, ${formatPercent(risk.commonestShare!)} by the commonest value of each variable, ${formatPercent(risk.naiveBayesShare!)} by naive Bayes without the record`,
        ]),
    `  information gained      ${formatMeasured(gainBitsMean, gainError)} bits a record (claimed: ${formatSupported(gainBitsClaimed!, gainError)}${differ})`,
    `  of the riskiest 1 %     ${formatMeasured(risk.gainBitsRiskiest!, shownError(risk, 'gainBitsRiskiest'))} bits a record: those of which the estimate claims most`,
    ...(risk.valuesGivenAway === null
      ? []
      : [
          `  newly disclosed         ${formatMeasured(risk.valuesGivenAway, shownError(risk, 'valuesGivenAway'))} values: best guess wrong before the release; afterwards right, with probability above 50 %`,
        ]),
    ...risk.variables.map(
      (own) =>
        `    ${own.variable}: ${formatPercent(own.firstGuessRightBefore, own.firstGuessRightBeforeSe)} guessed right before, ${share(own.firstGuessRightAfter, shownError(own, 'firstGuessRightAfter'))} after (commonest ${formatPercent(own.commonestShare)}, naive Bayes ${formatPercent(own.naiveBayesShare)}); gain ${formatMeasured(own.gainBitsMean, shownError(own, 'gainBitsMean'))} bits${own.uncertaintyResolved === null ? '' : `, ${share(own.uncertaintyResolved, shownError(own, 'uncertaintyResolved'))} resolved`}`,
    ),
  ];
}

/** How near an intruder comes to the values of each continuous variable that has a density. */
const continuousLines = ({ continuousVariables = [] }: AttributeRiskSummary): string[] =>
  continuousVariables.map((own) => {
    const share = (name: 'withinAfter' | 'coveredAfter') => formatPercentEstimate(own[name], shownError(own, name) ?? 0);
    return `    ${own.variable}: ${own.near} of the true value with probability ${formatPercent(own.withinBefore, own.withinBeforeSe)} before, ${share('withinAfter')} after; 90 % intervals hold ${formatPercent(own.coveredBefore, own.coveredBeforeSe)} of the values before, ${share('coveredAfter')} after; CRPS ${formatSupported(own.crpsBefore, own.crpsBeforeSe)} before, ${formatMeasured(own.crpsAfter, shownError(own, 'crpsAfter'))} after; gain ${formatMeasured(own.gainBitsMean, shownError(own, 'gainBitsMean'))} bits (claimed: ${formatSupported(own.gainBitsClaimed, shownError(own, 'gainBitsMean'))}); ${formatQuantity(own.valuesGivenAway, 'value')} newly disclosed (without an error)`;
  });

/** What trees prove, and what holding their divisions would miss; nothing of other models. */
function provenLines({ provenRecords, provenShare, fixedStructure, bandedVariables }: AttributeRiskSummary): string[] {
  if (provenRecords === undefined) return [];
  const banded =
    bandedVariables === undefined
      ? []
      : [`  in bands                ${namesInWords(bandedVariables)}: one value stands for each band, and the true one for its own`];
  const proven = `  proven                  ${formatQuantity(provenRecords, 'record')} (${formatPercent(provenShare!)}) with a value that the release proves: no other could have led to it`;
  if (fixedStructure === undefined) return [...banded, proven];
  const { gainBitsMean, gainBitsMissedShare, firstGuessRightAfter } = fixedStructure;
  const missed = gainBitsMissedShare === null ? '' : `, ${formatPercent(Math.max(0, gainBitsMissedShare))} of it missed`;
  return [
    ...banded,
    proven,
    `  with divisions held     ${formatPercent(firstGuessRightAfter)} guessed right, ${formatPercent(fixedStructure.provenShare)} proven, gain ${formatFigure(gainBitsMean)} bits${missed}`,
  ];
}

/** Whether somebody could tell who is in the table. */
function memberLines({ membership, membershipReason }: AttributeRiskSummary): string[] {
  if (membership === null) return [`  who is in the table     not found: ${membershipReason}`];
  const share = (name: 'auc' | 'foundAt1Percent') => formatPercentEstimate(membership[name], shownError(membership, name) ?? 0);
  return [
    `  who is in the table     ${share('auc')} that a record has a larger likelihood ratio than others do (AUC; ${AUC_SCALE}); at 1 % false alarms ${share('foundAt1Percent')} of records are found; others: ${othersInWords(membership)}`,
  ];
}

/** Which records somebody would name who knows nothing; nothing of another intruder. */
function namedLines({ reconstruction }: AttributeRiskSummary): string[] {
  if (reconstruction === null) return [];
  return [reconstruction.first100, reconstruction.first1000]
    .filter(({ guesses }, at, all) => at === 0 || guesses > all[0]!.guesses)
    .map((first, at) => {
      const share = (name: 'share' | 'expected' | 'baseline') => formatPercentEstimate(first[name], shownError(first, name) ?? 0);
      const beyond = formatPercentEstimate(first.aboveBaseline, shownError(first, 'aboveBaseline')!);
      return `  ${at === 0 ? 'records named' : '             '}           of the ${formatCount(first.guesses)} combinations that an intruder with the release alone is most confident of, ${share('share')} are in the table (${share('expected')} expected); ${share('baseline')} would be in ${baselineInWords(reconstruction)}; difference ${beyond}`;
    });
}

/** Privacy loss of this release, beside the epsilon that bounds it where one is stated; nothing where cells are not listed. */
function lossLines(risk: AttributeRiskSummary): string[] {
  const { epsilon } = risk;
  if (risk.provenShare !== undefined) {
    const bound = (loss: number | null) => (loss === null ? 'without bound' : formatFigure(loss));
    return [
      `  privacy loss            median ${bound(risk.privacyLossMedian)}, 99 % ${bound(risk.privacyLoss99)}, largest ${bound(risk.privacyLossMax)} (nats, exact), of this release alone: no guarantee`,
    ];
  }
  if (risk.privacyLossMedian === null) return [];
  if (epsilon !== undefined) {
    return [
      `  epsilon                 ${epsilon} stated; privacy loss of this release ${formatFigure(risk.privacyLossMax!)} at most, median ${formatFigure(risk.privacyLossMedian)} nats (exact)`,
    ];
  }
  return [
    `  privacy loss            median ${formatMeasured(risk.privacyLossMedian, shownError(risk, 'privacyLossMedian'))}, 99 % ${formatMeasured(risk.privacyLoss99!, shownError(risk, 'privacyLoss99'))}, largest ${formatMeasured(risk.privacyLossMax!, shownError(risk, 'privacyLossMax'))} nats, of this release alone: no guarantee`,
  ];
}

/** Who breaks the acceptance region; nothing where none was asked for. */
function regionLines({ acceptanceRegion: region }: AttributeRiskSummary): string[] {
  if (region === null) return [];
  return [
    `  acceptance region       ${formatPercent(region.brokenShare)} of records break it for some weight of the truth beforehand (${formatPercent(region.brokenSurelyShare)} beyond their error), on average for ${formatPercent(region.brokenWeightMean)} of the weights`,
  ];
}

/** Candidates of a record, which differ where some values are missing or impossible. */
const candidatesInNumbers = ({ randomGuessingShare: guessing, candidatesPerCombinationMax: most }: RankedRisk) =>
  `${guessing * most > 1 + 1e-9 ? 'up to ' : ''}${most}`;

/** What is known of whole records, where candidates are ranked. */
function rankedLines(risk: RankedRisk): string[] {
  const first = shownError(risk, 'truthRankedFirstShare')!;
  const before = risk.prior === 'uniform' ? 'guessing' : 'prior alone';
  return [
    `  ${beliefShift(risk).replace('’', "'")}`,
    `  truth ranked first      ${formatSupported(risk.truthRankedFirst, risk.records * first)} records, ${formatPercentEstimate(risk.truthRankedFirstShare, first)} (${before}: ${formatPercent(risk.priorFirstShare)})`,
    `  probability of truth    mean ${formatMeasured(risk.probabilityMean, shownError(risk, 'probabilityMean'))}, largest ${formatFigure(risk.probabilityMax)} (${before}: ${formatFigure(risk.priorProbabilityMean)})`,
    `  change, bits            mean ${formatMeasured(risk.informationBitsMean, shownError(risk, 'informationBitsMean'))} bits, largest ${formatFigure(risk.informationBitsMax)} bits`,
    ...(!isSimulated(risk.estimator)
      ? []
      : [
          `  reproducibility         ${risk.reproducibility === null ? `undefined: ${risk.reproducibilityReason}` : `${formatFigure(risk.reproducibility)} of the probability, ${risk.rankReproducibility === null ? 'undefined' : formatFigure(risk.rankReproducibility)} of the rank (rank correlation between two evaluations)`}`,
        ]),
  ];
}

/** What is printed of a run: it lies in a folder, or in a bucket. */
type PrintedRun = Pick<FinishedRun, 'directory' | 'summary' | 'state'>;

/** Everything that the summary of a run holds for a person, as lines. */
function detailLines({ summary, state }: PrintedRun): string[] {
  const { table, synthesis, attributeRisk, warnings, acceptance } = summary;
  const lines = [
    `${formatQuantity(table.records, 'record')}, ${formatQuantity(table.variables, 'variable')}, ${formatQuantity(table.combinations, 'combination')} (${formatCount(table.sampleUniques)} unique), ${formatQuantity(synthesis.datasets, 'synthetic dataset')}`,
  ];
  if (synthesis.kind === 'partial') lines.push(`${namesInWords(synthesis.synthesized)} synthesized, the other variables kept`);
  if (summary.copies) lines.push(`${copiesInWords(summary.copies, table.sampleUniques)}.`);
  if (!summary.assessable) lines.push('', `Not assessable: ${summary.assessableReason}`);
  else if (attributeRisk.length === 0 && state.purpose !== 'synthesize') {
    lines.push('', `Attribute risk: not measured. ${summary.attributeRiskReason}`);
  }
  for (const risk of attributeRisk) {
    lines.push(
      '',
      `Attribute risk${attributeRisk.length > 1 ? ` of the scenario "${risk.scenario}"` : ''}, ${risk.estimator}, candidates ${risk.candidates}${isRanked(risk) ? ` (${candidatesInNumbers(risk)} for each ${synthesis.kind === 'partial' ? 'record' : 'combination'})` : ''}`,
      `  measures ${risk.meaning}`,
      `  errors                  ${errorsInWords(risk)}`,
      ...valueLines(risk),
      ...continuousLines(risk),
      ...provenLines(risk),
      ...(isRanked(risk)
        ? rankedLines(risk)
        : [
            `  ranks                   not measured: ${risk.rankedReason}`,
            `  reproducibility         ${risk.reproducibility === null ? `undefined: ${risk.reproducibilityReason}` : `${formatFigure(risk.reproducibility)} of the probability near the true values (rank correlation between two evaluations)`}`,
          ]),
      ...memberLines(risk),
      ...namedLines(risk),
      ...lossLines(risk),
      ...regionLines(risk),
      ...(isRanked(risk) ? [`  distinguishable ranks   ${formatPercent(risk.distinguishableShare)} of records`] : []),
    );
  }
  if (summary.rounds.length > 0 && summary.model.chains > 0) lines.push(`  chains                  ${roundsInWords(summary.rounds)}`);
  lines.push(...matchLines(summary), ...uniqueLines(summary), ...boundLines(summary));
  if (summary.utility) lines.push('', ...utilityLines(summary.utility));
  else lines.push('', `Utility: not measured. ${summary.utilityReason}`);
  lines.push(...acceptanceLines(acceptance, attributeRisk.length > 1));
  for (const warning of gravestFirst(warnings).filter(({ code }) => code !== 'not-assessable'))
    lines.push('', `Warning (${warning.code}): ${warningInFull(warning)}`);
  return lines;
}

/** Where the files of a run are, and what it took. */
function fileLines({ directory, summary, state }: PrintedRun): string[] {
  const { attributeRisk } = summary;
  const pathIn = (...path: string[]) => (directory.startsWith('s3://') ? [directory, ...path].join('/') : join(directory, ...path));
  const { fit, synthesize, augment, assess, total } = state.seconds;
  // Nobody adds up what machines take that carry the tasks out one by one.
  const closing = fit + synthesize + augment + assess === 0 ? ' to put the results together' : '';
  const lines = ['', `${formatDuration(total)}${closing}, ${formatMemory(state.peakMemoryMiB)} of memory at most`];
  if (state.purpose !== 'assess') lines.push(`To release, if a person decides so:  ${pathIn('release')}`);
  if (state.purpose !== 'synthesize') {
    const tables = [
      ...(attributeRisk.some(({ variables }) => variables.length > 0) ? ['variable-risk.csv'] : []),
      ...(attributeRisk.some(({ continuousVariables }) => continuousVariables) ? ['continuous-risk.csv'] : []),
      ...(attributeRisk.length > 0 ? ['attribute-risk.csv'] : []),
      ...(attributeRisk.some(({ reconstruction }) => reconstruction !== null) ? ['reconstruction.csv'] : []),
      ...(summary.identificationRisk.some(({ applies }) => applies) ? ['identification-risk.csv'] : []),
    ];
    lines.push(
      `Confidential report:                 ${pathIn('confidential', 'report.html')}`,
      ...(summary.inherent ? [`Confidential bounds:                 ${pathIn('confidential', 'inherent.html')}`] : []),
      ...(tables.length === 0 ? [] : [`Confidential tables, beside it:      ${tables.join(', ')}`]),
    );
  }
  return lines;
}

/** Missed rules that are printed at most; the report and --details have all. */
const MOST_RULES = 3;

/** The figures to decide from, in columns. */
function headlineLines(summary: Summary): string[] {
  const text = (markup: Html) => inTerminal(textOf(markup)).replaceAll('’', "'");
  const rows = headlines(summary).map(({ name, value, baseline, yardstick }) => [
    text(name),
    text(value),
    `${text(baseline)}; ${text(yardstick)}`,
  ]);
  const widthOf = (column: number) => Math.max(0, ...rows.map((row) => row[column]!.length));
  const [names, values] = [widthOf(0), widthOf(1)];
  return rows.map(([name, value, scale]) => `  ${name!.padEnd(names)}  ${value!.padStart(values)}   ${scale}`);
}

/** How well the datasets serve, in a line: by the worst pMSE ratio, and by tables of two variables. */
function utilityLine({ utility }: Summary): string[] {
  if (utility === null) return [];
  const { figures, figuresSe } = utility;
  const ratios = (['propensityRatioPairs', 'propensityRatioMain', 'propensityRatioTree'] as const).filter((name) => figures[name] !== null);
  const worst = ratios.toSorted((a, b) => figures[b]! - figures[a]!)[0];
  const ratio =
    worst === undefined ? [] : [`pMSE ratio ${formatMeasured(figures[worst]!, figuresSe?.[worst] ?? null)} (1 is expected by chance)`];
  const moved = figures.twoWayTotalVariation;
  const movedSe = figuresSe?.twoWayTotalVariation ?? null;
  const movedInWords = moved === null ? '' : movedSe === null ? formatPercent(moved) : formatPercentEstimate(moved, movedSe);
  return [`Utility: ${[...ratio, ...(moved === null ? [] : [`2-way tables ${movedInWords} of records in another cell`])].join('; ')}`];
}

/** How to judge a run that has no rules by those to start from, which docs/reference/starter-rules.md has. */
function starterLine({ directory, summary: { acceptance, assessable, attributeRisk, model } }: PrintedRun): string[] {
  if (acceptance.length > 0 || !assessable) return [];
  const isBatch = directory.startsWith('s3://');
  const how =
    attributeRisk.length > 0 && model.chains > 0 && !isBatch
      ? `synthrisk reassess ${directory} --accept-starter`
      : `${isBatch ? 'synthrisk batch plan' : 'the same command'} with --accept-starter and another --out`;
  return [`To judge it by starter rules: ${how}`];
}

/** A few lines of what matters, the answer first. */
function shortLines(run: PrintedRun): string[] {
  const { summary } = run;
  const { table, synthesis, warnings, acceptance, copies } = summary;
  const missed = acceptance.filter(({ met }) => !met);
  const listed = missed.length <= MOST_RULES ? missed : missed.slice(0, MOST_RULES - 1);
  const grave = [
    ...new Set(
      gravestFirst(warnings)
        .filter(({ code }) => code !== 'not-assessable')
        .map((warning) => `Warning (${warning.code}): ${warningInShort(warning)}`),
    ),
  ];
  const unmeasured = measurements(summary).filter(({ reason }) => reason !== null);
  const answer = [
    `Verdict: ${verdictLine(summary)}`,
    ...listed.map(
      ({ rule, value, reason }) =>
        `  NOT MET: ${rule} (${value === null ? 'undefined' : formatRuled(value)})${reason === undefined ? '' : `: ${reason}`}`,
    ),
    ...(listed.length < missed.length ? [`  and ${formatQuantity(missed.length - listed.length, 'other rule')}`] : []),
    '',
    `${formatQuantity(table.records, 'record')}, ${formatQuantity(table.variables, 'variable')}, ${formatQuantity(table.combinations, 'combination')} (${formatCount(table.sampleUniques)} unique), ${formatQuantity(synthesis.datasets, 'synthetic dataset')}${synthesis.kind === 'partial' ? `; ${namesInWords(synthesis.synthesized)} synthesized` : ''}`,
    ...(summary.assessable ? [inTerminal(textOf(headlineIntruder(summary))).replaceAll('’', "'"), ...headlineLines(summary)] : []),
    ...(summary.assessable && summary.attributeRisk.length === 0 ? [`Attribute risk: not measured. ${summary.attributeRiskReason}`] : []),
    ...(copies ? [`${copiesInWords(copies, table.sampleUniques)}.`] : []),
    ...utilityLine(summary),
    ...(unmeasured.length === 0 ? [] : [`Not measured: ${unmeasured.map(({ name }) => name).join('; ')}`]),
  ];
  const files = [...fileLines(run), ...starterLine(run), 'Every figure and warning in full: the same command with --details'];
  const room = MOST_LINES - answer.length - files.length - 1;
  const shown = grave.length <= room ? grave : grave.slice(0, room - 1);
  return [
    ...answer,
    ...(grave.length === 0 ? [] : ['']),
    ...shown,
    ...(grave.length > shown.length ? [`  and ${formatQuantity(grave.length - shown.length, 'other warning')}`] : []),
    ...files,
  ];
}

/** Prints what a run found, the answer first. Returns the exit code. */
export function printRun(run: PrintedRun, { json = false, details = false }: Printing): 0 | 4 {
  const { summary, state } = run;
  if (json) {
    const { seconds, peakMemoryMiB } = state;
    process.stdout.write(
      `${JSON.stringify({ ...summary, ...(summary.utility ? { utility: withoutValues(summary.utility) } : {}), seconds, peakMemoryMiB }, null, 2)}\n`,
    );
  } else {
    const answer = state.purpose === 'synthesize' ? [] : [`Verdict: ${verdictLine(summary)}`, ''];
    const isShort = !details && state.purpose !== 'synthesize';
    writeLines(isShort ? shortLines(run) : [...answer, ...detailLines(run), ...fileLines(run)]);
  }
  return acceptanceExit(summary.acceptance, summary.assessable);
}
