import { describe, expect, it } from 'vitest';
import type { AttributeRiskSummary } from '../../../shared/contracts/results/summary.ts';
import type { ReportInput } from '../../../shared/report/review/report-input.ts';
import { saferSection } from '../../../shared/report/review/safer.ts';
import { reportInput } from '../fixture.ts';

type Continuous = NonNullable<AttributeRiskSummary['continuousVariables']>[number];

/** The commands that the section names, of a run with another synthesis, and with continuous variables. */
function commandsOf(synthesis: Partial<ReportInput['summary']['synthesis']>, numbers: readonly Partial<Continuous>[] = []): string[] {
  const input = reportInput();
  const { summary } = input;
  const [risk, ...others] = summary.attributeRisk;
  const found = { ...risk!, continuousVariables: numbers as Continuous[] };
  const changed = { ...summary, synthesis: { ...summary.synthesis, ...synthesis }, attributeRisk: [found, ...others] };
  const { body } = saferSection({ ...input, summary: changed });
  return [...`${body.markup}`.matchAll(/<code>(synthrisk [^<]*TABLE[^<]*)<\/code>/g)].map(([, command]) => command!);
}

const BREAKS = 'synthrisk remedies RUN --table TABLE --breaks NAME=LOWEST,NEXT,NEXT';

describe('what would make a release safer', () => {
  it('are remedies wherever the run has chains, whether or not variables are kept', () => {
    const fewer = 'synthrisk remedies RUN --table TABLE --datasets 1,2';
    expect(commandsOf({})).toContain(fewer);
    expect(commandsOf({ kind: 'partial' })).toContain(fewer);
    expect(commandsOf({ kind: 'partial' })).not.toContain('synthrisk evaluate TABLE --datasets 1');
    for (const chains of ['foreign', null] as const) {
      const commands = commandsOf({ kind: 'partial', chains });
      expect(commands.filter((command) => command.includes('remedies'))).toEqual([]);
      expect(commands).toContain('synthrisk evaluate TABLE --datasets 1');
    }
  });

  it('are bands where an intruder comes near a number that they did not before', () => {
    const near = (variable: string, withinAfter: number, valuesGivenAway: number) => ({
      variable,
      withinAfter,
      valuesGivenAway,
      gainBitsMean: 0.1,
    });
    expect(commandsOf({}, [near('age', 0.5, 0), near('income', 0.4, 3)])).toContain(BREAKS);
    expect(commandsOf({}, [near('age', 0.5, 0), near('income', 0.4, 0)])).not.toContain(BREAKS);
    expect(commandsOf({}, [])).not.toContain(BREAKS);
  });
});
