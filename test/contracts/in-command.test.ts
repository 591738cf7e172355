import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { names } from '../../cli/flags/parse-flag.ts';
import { inCommand, inConfig, inList, namesInWords } from '../../shared/contracts/in-command.ts';

const NAMES = [
  'AGE',
  'Âge',
  'n° ménage',
  'Salaire net (€)',
  'Tranche d’âge',
  'a "quoted" $HOME `name`',
  'back\\slash',
  '',
  'a:b',
  'true',
  '- x',
];

describe('a name in advice', () => {
  it.skipIf(process.platform === 'win32').each(NAMES)('is one word of a shell, and itself: %s', (name) => {
    const script = `for word in ${inCommand(`${name}=0,10`)}; do printf '<%s>' "$word"; done`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(`<${name}=0,10>`);
  });

  it.skipIf(process.platform === 'win32')('is one of a list again, whatever it holds', () => {
    const all = [...NAMES.filter((name) => name !== ''), 'Sex, as given', '"Sex", as given'];
    const word = execFileSync('sh', ['-c', `printf '%s' ${inList(...all)}`], { encoding: 'utf8' });
    expect(names(word)).toEqual(all);
    expect(names(' A, B')).toEqual(['A', 'B']);
    for (const text of [' A, B ,', ' ', '', 'A,"B']) expect(() => names(text)).toThrow('names between commas');
  });

  it('is one of several in a sentence, whatever it holds', () => {
    const all = ['AGE', 'Sex, as given', '"Sex"'];
    expect(namesInWords(all)).toBe('AGE, "Sex, as given", """Sex"""');
    expect(names(namesInWords(all))).toEqual(all);
    expect(namesInWords([])).toBe('');
  });

  it.each(NAMES)('is a key of YAML, and itself: %s', (name) => {
    expect(Object.keys(parse(`variables: { ${inConfig(name)}: { drop: true } }`).variables)).toEqual([name]);
  });

  it('is plain where it can be', () => {
    expect([inCommand('INCOME=0,10.5'), inCommand('données/table.csv'), inConfig('Âge')]).toEqual([
      'INCOME=0,10.5',
      'données/table.csv',
      'Âge',
    ]);
  });
});
