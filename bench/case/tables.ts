import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import type { AttributeRiskSummary, Summary } from '../../shared/contracts/results/summary.ts';
import { publicPercent, publicPoints } from '../../shared/report/public/figures-table.ts';
import {
  formatCount,
  formatEstimate,
  formatFigure,
  formatPercent,
  formatPercentEstimate,
} from '../../shared/report/words/format-number.ts';
import { CASE_CONFIG, type WorkedCase } from './worked-case.ts';

/** Numbers of a page in Markdown have ordinary spaces. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

/** The tables of the page of the worked case, by name. */
export function caseTables({ planned, released, public: published }: WorkedCase): Record<string, string> {
  const [guessed] = published.attributeRisk;
  const risk = released.attributeRisk[0]!;
  return {
    table: tableTable(planned),
    config: `\`\`\`yaml\n${CASE_CONFIG}\`\`\``,
    planned: riskTable(planned),
    'planned-rules': rulesTable(planned),
    variables: variablesTable(planned),
    released: riskTable(released),
    beside: besideTable(planned, released),
    public: markdownTable(
      ['figure', 'printed', 'in the report'],
      [
        ['probability of a true value, without the release', publicPercent(guessed!.probabilityTrueBefore), percent(risk, 'Before')],
        ['the same with the release', publicPercent(guessed!.probabilityTrueAfter), percent(risk, 'After')],
        [
          'what the release adds to it',
          publicPoints(guessed!.probabilityTrueAdded),
          `${formatFigure(100 * (risk.probabilityTrueAfter! - risk.probabilityTrueBefore!))} percentage points`,
        ],
        [
          'records in another cell, tables of two variables',
          publicPercent(published.twoWayTotalVariation),
          plain(formatPercent(released.utility!.figures.twoWayTotalVariation!)),
        ],
      ],
    ),
  };
}

const percent = (risk: AttributeRiskSummary, when: 'Before' | 'After') =>
  plain(formatPercentEstimate(risk[`probabilityTrue${when}`]!, risk[`probabilityTrue${when}Se`]!));

function tableTable({ table }: Summary): string {
  return markdownTable(
    ['records', 'variables', 'combinations', 'of one record alone', 'cells there could be'],
    [[table.records, table.variables, table.combinations, table.sampleUniques, table.cells!].map(formatCount)],
  );
}

function riskTable({ attributeRisk }: Summary): string {
  return markdownTable(
    ['intruder who knows', 'guesses right, without', 'with', 'gain at the truth, bits', 'claimed', 'values newly disclosed', 'ranks agree'],
    attributeRisk.map((risk) => [
      risk.scenario,
      plain(formatPercentEstimate(risk.firstGuessRightBefore!, risk.firstGuessRightBeforeSe!)),
      plain(formatPercentEstimate(risk.firstGuessRightAfter!, risk.firstGuessRightAfterSe!)),
      plain(formatEstimate(risk.gainBitsMean!, risk.gainBitsMeanSe!)),
      formatFigure(risk.gainBitsClaimed!),
      plain(formatEstimate(risk.valuesGivenAway!, risk.valuesGivenAwaySe!)),
      formatFigure(risk.rankReproducibility!),
    ]),
  );
}

function rulesTable({ acceptance }: Summary): string {
  return markdownTable(
    ['rule', 'value', 'met'],
    acceptance.map(({ rule, value, met }) => [`\`${rule}\``, formatFigure(value!), met ? 'yes' : '**no**']),
  );
}

function variablesTable({ attributeRisk: [risk] }: Summary): string {
  return markdownTable(
    ['variable', 'guessed right, without', 'with', 'gain, bits'],
    risk!.variables.map((own) => [
      own.variable,
      plain(formatPercent(own.firstGuessRightBefore, own.firstGuessRightBeforeSe)),
      plain(formatPercent(own.firstGuessRightAfter, own.firstGuessRightAfterSe)),
      plain(formatEstimate(own.gainBitsMean, own.gainBitsMeanSe!)),
    ]),
  );
}

function besideTable(planned: Summary, released: Summary): string {
  const row = (name: string, figure: (summary: Summary) => string) => [name, figure(planned), figure(released)];
  return markdownTable(
    ['', `${planned.synthesis.datasets} datasets`, `${released.synthesis.datasets} datasets`],
    [
      row('tables of two variables, records in another cell', ({ utility }) =>
        plain(formatPercent(utility!.figures.twoWayTotalVariation!)),
      ),
      row('intervals of regressions overlap by', ({ utility }) => plain(formatPercent(utility!.figures.intervalOverlapMean!))),
    ],
  );
}
