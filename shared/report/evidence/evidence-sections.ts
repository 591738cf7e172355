import { namesInWords } from '../../contracts/in-command.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { AttackOutcome, AttackSummary } from '../../contracts/results/attack.ts';
import type { ChainDiagnostics } from '../../contracts/results/chain-diagnostics.ts';
import { isRanked } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import type { ReportHeading } from '../../contracts/run/plan.ts';
import { attackRates } from '../attack/attack-rates.ts';
import { textOf } from '../page/html.ts';
import { headlineIntruder } from '../review/headlines.ts';
import { measurements } from '../review/measured.ts';
import type { ReportInput } from '../review/report-input.ts';
import { allWarnings, runBy, verdictLine } from '../review/verdict.ts';
import { priorInShort } from '../words/belief-shift.ts';
import { copiesInWords } from '../words/copies-in-words.ts';
import { errorsInWords, shownError } from '../words/errors-in-words.ts';
import { formatFigure, formatMeasured, formatPercent, formatPercentEstimate, formatQuantity } from '../words/format-number.ts';
import { measureInWords } from '../words/measures-in-words.ts';
import { othersInWords } from '../words/membership-in-words.ts';
import { baselineInWords } from '../words/reconstruction-in-words.ts';
import { warningInFull } from '../words/warnings-in-words.ts';

/** A table of text: its caption, its heads, and rows of as many cells, of which the first is the row's head. */
interface EvidenceTable {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A section of the evidence pack, in text alone, for a page and for a document of an office. */
export interface EvidenceSection {
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly tables: readonly EvidenceTable[];
}

/** What a pack is made of: as much of a report's input. */
export type EvidenceInput = Pick<ReportInput, 'summary' | 'heading' | 'attack' | 'chains'>;

const FIGURES = ['Figure', 'This release', 'Compare with'];

/**
 * What a release's approval rests on, section by section. It holds figures of the whole file, and names of variables: no value and no
 * number of a record.
 */
export function evidenceSections({ summary, heading, attack, chains }: EvidenceInput): EvidenceSection[] {
  return [
    decisionSection(summary),
    frameworkSection(),
    singlingOutSection(summary, attack),
    linkabilitySection(summary, attack),
    inferenceSection(summary, attack),
    membershipSection(summary),
    utilitySection(summary),
    differencesSection(summary),
    labelSection(summary),
    limitsSection(summary, chains),
    approvalSection(heading),
  ];
}

function decisionSection(summary: Summary): EvidenceSection {
  const { runId, version, table, synthesis, acceptance } = summary;
  const rules = acceptance.map(({ rule, value, met }) => [
    rule,
    value === null ? 'undefined' : formatFigure(value),
    met ? 'met' : 'not met',
  ]);
  return {
    id: 'summary',
    title: 'Summary',
    paragraphs: [
      verdictLine(summary),
      `Run ${runId}, synthrisk ${version}: ${formatQuantity(synthesis.datasets, 'synthetic dataset')} of a confidential table of ${formatQuantity(table.records, 'record')} and ${formatQuantity(table.variables, 'variable')}.`,
    ],
    tables: rules.length === 0 ? [] : [{ caption: 'Acceptance rules', heads: ['Rule', 'Value', 'Outcome'], rows: rules }],
  };
}

const frameworkSection = (): EvidenceSection => ({
  id: 'frameworks',
  title: 'Where each framework is answered',
  paragraphs: ['What a program cannot measure is for the organisation to fill in.'],
  tables: [
    {
      caption: 'Frameworks',
      heads: ['Framework', 'Question', 'Section'],
      rows: [
        ['EU, Article 29 Working Party, Opinion 05/2014', 'Singling out', 'Singling out'],
        ['', 'Linkability', 'Linkability'],
        ['', 'Inference', 'Inference'],
        ['ISO/IEC 20889:2018', 'Singling out attack', 'Singling out'],
        ['', 'Linking attack', 'Linkability'],
        ['', 'Inference attack', 'Inference; Membership'],
        ['Five Safes', 'Safe data', 'Singling out; Linkability; Inference; Membership'],
        ['', 'Safe outputs', 'Utility; Differences from the table; Label'],
        ['', 'Safe projects, safe people, safe settings', 'Approval (to be filled in)'],
      ],
    },
  ],
});

function singlingOutSection(summary: Summary, attack: AttackSummary | null): EvidenceSection {
  const { copies, table, uniqueValues = [], attributeRisk } = summary;
  const [risk] = attributeRisk;
  const rows = [
    ['Records that are unique in the table', formatQuantity(table.sampleUniques, 'record'), formatQuantity(table.records, 'record')],
    ...(risk?.provenRecords === undefined
      ? []
      : [['Records with a value that the release proves', formatQuantity(risk.provenRecords, 'record'), '0']]),
    ...uniqueValues.map(({ variable, released, expected }) => [
      `Values of ${variable} that one record alone has, released`,
      released === null ? 'none: values are smoothed' : formatFigure(released),
      expected === null ? 'not known' : `${formatFigure(expected)} expected`,
    ]),
    ...attackRows(attack?.singlingOut),
  ];
  return {
    id: 'singling-out',
    title: 'Singling out',
    paragraphs: [
      'Can an intruder isolate a person’s record in the release?',
      ...(copies === null ? [] : [`${copiesInWords(copies, table.sampleUniques)}.`]),
      ...withoutAttack(attack),
    ],
    tables: [{ caption: 'Singling out', heads: FIGURES, rows }],
  };
}

function linkabilitySection(summary: Summary, attack: AttackSummary | null): EvidenceSection {
  const applied = summary.identificationRisk.filter((risk) => risk.applies);
  const rows = applied.flatMap(({ scenario, mean, standardDeviation }) => [
    [
      `Records found by matching, scenario ${scenario}`,
      formatMeasured(mean.expectedMatchRisk, standardDeviation?.expectedMatchRisk ?? null),
      formatQuantity(summary.table.records, 'record'),
    ],
    [`True match rate, scenario ${scenario}`, formatPercent(mean.trueMatchRate), '0 %: nobody is found'],
    [
      `False match rate, scenario ${scenario}`,
      mean.falseMatchRate === null ? 'undefined' : formatPercent(mean.falseMatchRate),
      '100 %: every unique match is wrong',
    ],
  ]);
  const all = [...rows, ...attackRows(attack?.linkability)];
  return {
    id: 'linkability',
    title: 'Linkability',
    paragraphs: [
      'Can an intruder link the release to what they hold about a person?',
      ...(applied.length === 0 ? [notMeasured(summary, 'Identification by matching')] : []),
      ...withoutAttack(attack),
    ],
    tables: all.length === 0 ? [] : [{ caption: 'Linkability', heads: FIGURES, rows: all }],
  };
}

function inferenceSection(summary: Summary, attack: AttackSummary | null): EvidenceSection {
  const { attributeRisk, attributeDisclosures } = summary;
  const [risk] = attributeRisk;
  const rows = [
    ...(risk === undefined ? [] : riskRows(risk)),
    ...(attributeDisclosures === null
      ? []
      : [['Records all of whose synthetic values are the true ones', formatPercent(attributeDisclosures.all.meanShare), '0 %']]),
    ...attackRows(attack?.inference),
  ];
  const variables = (risk?.variables ?? []).map((own) => [
    own.variable,
    formatPercent(own.firstGuessRightBefore, own.firstGuessRightBeforeSe),
    estimated(own, 'firstGuessRightAfter', formatPercentEstimate, formatPercent),
    estimated(own, 'gainBitsMean', formatMeasured, formatFigure),
  ]);
  return {
    id: 'inference',
    title: 'Inference',
    paragraphs: [
      'Can an intruder infer values of a person that they did not know?',
      ...(risk === undefined
        ? [notMeasured(summary, 'Attribute disclosure: single values')]
        : [textOf(headlineIntruder(summary)), `${errorsInWords(risk)}.`]),
      ...withoutAttack(attack),
    ],
    tables: [
      ...(rows.length === 0 ? [] : [{ caption: 'Inference', heads: FIGURES, rows }]),
      ...(variables.length === 0
        ? []
        : [
            {
              caption: 'Values guessed correctly and information gained, variable by variable',
              heads: ['Variable', 'Without the release', 'With the release', 'Gain, bits'],
              rows: variables,
            },
          ]),
    ],
  };
}

function riskRows(risk: AttributeRiskSummary): string[][] {
  const share = (name: 'firstGuessRightAfter' | 'uncertaintyResolved') => estimated(risk, name, formatPercentEstimate, formatPercent);
  return [
    ...(risk.firstGuessRightAfter === null
      ? []
      : [
          [
            'Values guessed correctly',
            share('firstGuessRightAfter'),
            `${formatPercent(risk.firstGuessRightBefore!, risk.firstGuessRightBeforeSe)} without the release`,
          ],
        ]),
    ...(risk.uncertaintyResolved === null ? [] : [['Uncertainty resolved', share('uncertaintyResolved'), '0 %: an independent release']]),
    ...(risk.valuesGivenAway === null
      ? []
      : [['Values newly disclosed', estimated(risk, 'valuesGivenAway', formatMeasured, formatFigure), '0 without the release']]),
    ...(risk.gainBitsMean === null
      ? []
      : [['Information gained, bits a record', estimated(risk, 'gainBitsMean', formatMeasured, formatFigure), '0 without the release']]),
    ...(isRanked(risk)
      ? [
          [
            `Whole records guessed correctly, under the ${priorInShort(risk.prior)}`,
            estimated(risk, 'truthRankedFirstShare', formatPercentEstimate, formatPercent),
            `${formatPercent(risk.priorFirstShare)} without the release`,
          ],
        ]
      : []),
    ...(risk.continuousVariables ?? []).map((own) => [
      `${own.variable} ${own.near}, mean probability`,
      estimated(own, 'withinAfter', formatPercentEstimate, formatPercent),
      `${formatPercent(own.withinBefore, own.withinBeforeSe)} without the release`,
    ]),
  ];
}

function membershipSection(summary: Summary): EvidenceSection {
  const membership = summary.attributeRisk[0]?.membership ?? null;
  const named = summary.attributeRisk.find(({ reconstruction }) => reconstruction !== null)?.reconstruction;
  const rows = [
    ...(membership === null
      ? []
      : (
          [
            ['auc', `Area under the curve (AUC), against ${othersInWords(membership)}`, '50 %: nobody can tell'],
            ['foundAt1Percent', 'Records found at 1 % false alarms', '1 % by guessing'],
            ['foundAt01Percent', 'Records found at 0.1 % false alarms', '0.1 % by guessing'],
          ] as const
        ).map(([name, words, scale]) => [words, estimated(membership, name, formatPercentEstimate, formatPercent), scale])),
    ...(named == null
      ? []
      : [
          [
            `In the table, of the ${formatFigure(named.first100.guesses)} combinations that an intruder with the release alone is most confident of`,
            estimated(named.first100, 'share', formatPercentEstimate, formatPercent),
            `${formatPercent(named.first100.baseline)} in ${baselineInWords(named)}`,
          ],
        ]),
  ];
  return {
    id: 'membership',
    title: 'Membership',
    paragraphs: [
      'Can an intruder tell from the release who is in the table?',
      ...(membership === null ? [notMeasured(summary, 'Membership')] : []),
    ],
    tables: rows.length === 0 ? [] : [{ caption: 'Membership', heads: FIGURES, rows }],
  };
}

function utilitySection(summary: Summary): EvidenceSection {
  const { utility } = summary;
  if (utility === null) return { id: 'utility', title: 'Utility', paragraphs: [notMeasured(summary, 'Utility')], tables: [] };
  const { figures, figuresSe } = utility;
  const share = (name: string) => /TotalVariation|Overlap/.test(name);
  const rows = Object.entries(figures).flatMap(([name, value]) => {
    if (value === null) return [];
    const error = (figuresSe as Readonly<Record<string, number | null>> | null)?.[name] ?? null;
    const shown = share(name) ? (error ? formatPercentEstimate(value, error) : formatPercent(value)) : formatMeasured(value, error);
    return [[measureInWords(name), shown]];
  });
  return {
    id: 'utility',
    title: 'Utility',
    paragraphs: ['A pMSE ratio of 1 is expected by chance. No figure says whether the data serve a purpose that nobody named.'],
    tables: [{ caption: 'Utility, means over datasets', heads: ['Figure', 'Value'], rows }],
  };
}

/** What users must know of how the datasets differ from the table. */
function differencesSection({ synthesis, utility }: Summary): EvidenceSection {
  const kept =
    synthesis.kind === 'full'
      ? 'Every variable is synthetic. Rows are drawn from a model.'
      : `Synthetic: ${namesInWords(synthesis.synthesized)}. The other variables are as collected.`;
  if (utility === null) return { id: 'differences', title: 'Differences from the table', paragraphs: [kept], tables: [] };
  const { tables, associations, regressions, patterns } = utility;
  const overlaps = regressions.flatMap(({ formula, meanIntervalOverlap: overlap }) => (overlap === null ? [] : [{ formula, overlap }]));
  const least = overlaps.toSorted((a, b) => a.overlap - b.overlap)[0];
  return {
    id: 'differences',
    title: 'Differences from the table that users must know',
    paragraphs: [
      kept,
      ...(associations.mostChanged === null
        ? []
        : [
            `Associations of two variables differ by ${formatFigure(associations.meanAbsoluteDifference!)} on average; most between ${associations.mostChanged.join(' and ')}, by ${formatFigure(associations.maxAbsoluteDifference!)}.`,
          ]),
      ...(least === undefined
        ? []
        : [
            `Regressions of ${responseOf(least.formula)} reproduce the table’s intervals least: they overlap by ${formatPercent(least.overlap)}.`,
          ]),
      ...(patterns?.variables ?? []).map(
        ({ of, meanDistance }) =>
          `${of} within patterns of ${namesInWords(patterns!.by)}: distance ${formatFigure(meanDistance)} (0 the same, 1 nothing in common).`,
      ),
    ],
    tables: [
      {
        caption: 'Tables of counts, synthetic beside original',
        heads: ['Variables', 'Mean absolute difference', 'Expected by chance', 'Records in another cell'],
        rows: tables.map(({ way, meanAbsoluteDeviation, expected, totalVariation }) => [
          formatFigure(way),
          formatFigure(meanAbsoluteDeviation),
          expected === null ? 'not known' : formatFigure(expected),
          formatPercent(totalVariation),
        ]),
      },
    ],
  };
}

/** The variable that a regression is of: a category that it is compared with is a value of the table, and left out. */
const responseOf = (formula: string) => formula.replace(/( == .*)? ~ .*/s, '');

function labelSection({ model, synthesis, attributeRisk }: Summary): EvidenceSection {
  const which = synthesis.kind === 'full' ? 'All variables are' : `The variables ${namesInWords(synthesis.synthesized)} are`;
  const rows =
    synthesis.kind === 'full'
      ? 'No row describes a real person, though a row can equal one.'
      : 'The other variables are as collected, and each row belongs to a record.';
  const epsilon = attributeRisk[0]?.epsilon;
  return {
    id: 'label',
    title: 'Label',
    paragraphs: [
      'Text to publish with the data:',
      `“These are synthetic data. ${which} synthetic, drawn from ${factsOf(model).inWords} fitted to confidential data. ${rows} Results from these data can differ from those of the original, and must be described as results from synthetic data.${epsilon === undefined ? '' : ` The datasets are differentially private with epsilon ${formatFigure(epsilon)}.`}”`,
    ],
    tables: [],
  };
}

function limitsSection(summary: Summary, chains: ChainDiagnostics | null): EvidenceSection {
  const without = measurements(summary).filter(({ reason }) => reason !== null);
  const warnings = allWarnings(summary, chains);
  return {
    id: 'limits',
    title: 'Warnings, and what was not measured',
    paragraphs: [
      ...(warnings.length === 0 ? ['There are no warnings.'] : warnings.map(warningInFull)),
      summary.synthesis.chains === 'foreign'
        ? 'The figures hold against an intruder who does not know the random numbers with which the datasets were made elsewhere.'
        : 'The figures hold against an intruder who does not know the release key. If it is lost to someone, they no longer hold.',
      'They hold for an intruder who uses this synthesizer and this prior; they are no guarantee against other knowledge.',
    ],
    tables:
      without.length === 0
        ? []
        : [{ caption: 'Not measured', heads: ['Question', 'Reason'], rows: without.map(({ name, reason }) => [name, reason!]) }],
  };
}

const approvalSection = ({ startedOn, table, by }: ReportHeading): EvidenceSection => ({
  id: 'approval',
  title: 'Approval',
  paragraphs: [],
  tables: [
    {
      caption: 'To be filled in',
      heads: ['Item', 'Entry'],
      rows: [
        ['Table and release', table ?? ''],
        ['Purpose and users (safe projects, safe people)', ''],
        ['Access and storage (safe settings)', ''],
        [runBy(startedOn), by ?? ''],
        ...['Decision and conditions', 'Approved by (name and role)', 'Approved on', 'Signature', 'Review on'].map((item) => [item, '']),
      ],
    },
  ],
});

function notMeasured(summary: Summary, name: string): string {
  const reason = measurements(summary).find((one) => one.name === name)?.reason ?? 'not asked for';
  return `Not measured: ${reason}.`;
}

const withoutAttack = (attack: AttackSummary | null) =>
  attack === null ? ['Attacks of other tools were not included (synthrisk attack, then report --attack).'] : [];

function attackRows(outcomes: readonly AttackOutcome[] = []): string[][] {
  return attackRates(outcomes).map(({ name, rate, baseline, risk, riskLow, riskHigh }) => [
    `${name} (Anonymeter): risk`,
    `${formatPercent(risk)} (${formatPercent(riskLow)} to ${formatPercent(riskHigh)})`,
    `succeeds ${formatPercent(rate)}, by guessing ${formatPercent(baseline)}`,
  ]);
}

/** A figure with its error where it has one. */
function estimated<Name extends string>(
  of: Parameters<typeof shownError<Name>>[0] & { readonly [Key in Name]: number | null },
  name: Name,
  withError: (value: number, error: number) => string,
  alone: (value: number) => string,
): string {
  const error = shownError(of, name);
  return error === null || error === 0 ? alone(of[name]!) : withError(of[name]!, error);
}
