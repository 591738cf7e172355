import { describe, expect, it } from 'vitest';
import { synthriskProgram } from '../../../cli/program.ts';
import { commandsBelow } from '../../../cli/usage/complete-commands.ts';

const options = commandsBelow(synthriskProgram(() => {})).flatMap((command) => command.options);

describe('a flag that is there twice', () => {
  it.each([
    ['dp table --epsilon 1 --epsilon 2', '--epsilon <list>'],
    ['dp evaluate --prior=0.5 --prior=0.5', '--prior <w>'],
    ['remedies run --table t.csv --datasets 1 --datasets 2', '--datasets <numbers>'],
    ['calibrate t.csv --replicates 1 --quiet --replicates 2', '--replicates <n>'],
    ['evaluate t.csv --estimator parameters --estimator augmented', '--estimator <name>'],
    ['evaluate t.csv --sweep 0.1 --sweep', '--sweep [radii]'],
  ])('%s is refused where it takes one value', async (line, flags) => {
    await expect(synthriskProgram(() => {}).parseAsync(line.split(' '), { from: 'user' })).rejects.toThrow(
      `${flags} is there twice: expected once`,
    );
  });

  it('may come again where its help says so, or it takes names', () => {
    const again = options.filter(({ description }) => /\bagain for\b|repeat(ed|able)/.test(description));
    expect(again.length).toBeGreaterThan(10);
    for (const { flags, parseArg } of again) expect([flags, parseArg?.length]).toEqual([flags, 2]);
    for (const flags of ['--drop <columns>', '--continuous <columns>', '--keys <variables>']) {
      expect([flags, options.find((option) => option.flags === flags)?.parseArg?.length]).toEqual([flags, 2]);
    }
  });

  it('is one where it takes no value', async () => {
    await expect(synthriskProgram(() => {}).parseAsync(['plan', '--quiet', '--quiet'], { from: 'user' })).rejects.not.toThrow('twice');
  });
});
