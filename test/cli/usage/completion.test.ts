import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();

beforeAll(async () => {
  const { code, stdout } = await synthrisk(directory, ['completion', 'bash']);
  expect(code).toBe(0);
  writeFileSync(join(directory, 'completion.bash'), stdout);
  for (const name of ['survey.csv', 'my table *.csv', 'my table 2.csv']) writeFileSync(join(directory, name), 'A,B\n1,2\n');
});

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const script = `source ./completion.bash
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
"$(complete -p synthrisk | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stderr, stdout } = spawnSync('bash', ['-c', script, 'bash', 'synthrisk', ...words], { cwd: directory, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter((line) => line !== '');
}

describe('completion in bash', () => {
  it.each([
    ['a command', ['ev'], ['evaluate']],
    ['a command of a group', ['cloud', 's'], ['submit', 'status']],
    ['commands of a group', ['dp', ''], ['table', 'evaluate', 'help']],
    ['a command after help', ['help', 'sch'], ['schema']],
    ['a shell', ['completion', ''], ['bash', 'zsh', 'fish', 'powershell']],
    ['a flag', ['evaluate', '--cha'], ['--chains']],
    ['a flag after a table', ['evaluate', 'survey.csv', '--structural'], ['--structural-zeros']],
    ['a flag of a command of a group', ['cloud', 'fetch', '--rel'], ['--release-only']],
    ['the choices of a flag', ['synthesize', '--model', 'd'], ['dpmpm', 'dp-areal', 'dirichlet-multinomial']],
    ['a file for a table', ['evaluate', 'sur'], ['survey.csv']],
    ['a file for a flag', ['evaluate', '--config', 'sur'], ['survey.csv']],
    ['a file whose name has spaces and stars', ['evaluate', 'my table *'], ['my table *.csv']],
    ['such a file for a flag', ['mask', '--config', 'my table 2'], ['my table 2.csv']],
  ])('offers %s', (_, words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  it('offers every flag that the help of a command shows, and the help says what each is', async () => {
    for (const command of [['evaluate'], ['inherent'], ['reidentify'], ['cloud', 'deploy'], ['dp', 'evaluate']]) {
      const { stdout } = await synthrisk(directory, [...command, '--help']);
      const shown = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z][a-z0-9-]*)/gm)].map(([, flag]) => flag);
      expect(shown.length).toBeGreaterThan(5);
      expect(stdout).not.toMatch(/(^ {2}--[a-z-]+( <[^>]*>)?|;) *\n {2}-/m);
      expect(offered(...command, '--').toSorted()).toEqual([...new Set(shown)].toSorted());
    }
  });
});

describe('completion in other shells', () => {
  it.each(['zsh', 'fish', 'powershell'])('%s has every command, flag and choice', async (shell) => {
    const { code, stdout } = await synthrisk(directory, ['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['synthrisk', 'cloud fetch', 'release-only', 'dirichlet-multinomial']) {
      expect(stdout).toContain(word);
    }
  });

  it('zsh follows words to the command that they name', async () => {
    const { stdout } = await synthrisk(directory, ['completion', 'zsh']);
    const [, followed] = stdout.match(/^ +(\S.*)\) path_="/m)!;
    const paths = followed!.split('|');
    expect(paths).toEqual(expect.arrayContaining(["'evaluate'", "'cloud'", "'cloud fetch'"]));
    expect(paths).not.toContain("''");
  });

  it('refuses a shell that it does not know, with the one that may be meant', async () => {
    const { code, stderr } = await synthrisk(directory, ['completion', 'bsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean bash?');
  });
});
