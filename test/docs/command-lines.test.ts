import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { synthriskProgram } from '../../cli/program.ts';
import { calledCommands } from './called-commands.ts';
import { checkArguments, checkCommand } from './check-command.ts';
import { readPage } from './page-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const PAGES = [
  ...readdirSync(root, { recursive: false, encoding: 'utf8' }),
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
].filter((name) => name.endsWith('.md'));

/** What is wrong with the commands in a text of shell. */
async function wrongCommands(text: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const call of calledCommands(text)) {
    const complaint = await checkCommand(call);
    if (complaint !== undefined) wrong.push(`${call.join(' ')}: ${complaint}`);
  }
  return wrong;
}

/**
 * Blocks and short code of a page that call the program. Blocks of pages that explain hold formulas as well. Where a page leaves out the
 * program, as the runbook does, `cloud` begins a command; with no more than a second word it is the name of one.
 */
function commandsOf(name: string): string[] {
  const { blocks, quoted } = readPage(readFileSync(join(root, name), 'utf8'));
  const short = quoted.map((text) =>
    /^cloud [a-z]+ [^|]/.test(text) ? `npx --no-install synthrisk ${text.replace(/\b(MORE|N)\b/g, '40')}` : text,
  );
  return [...blocks.filter(({ language }) => language === 'sh').map(({ text }) => text), ...short].filter((text) =>
    /^npx --no-install synthrisk [a-z]/m.test(text),
  );
}

describe('the pages', () => {
  it('have commands, on those that are followed and on those that explain', () => {
    const withCommands = PAGES.filter((name) => commandsOf(name).length > 0);
    expect(withCommands).toEqual(expect.arrayContaining(['README.md', 'docs/how-to/runbook.md', 'docs/explanation/utility.md']));
  });

  it.each(PAGES)('%s: the command line takes them', async (name) => {
    const wrong = [];
    for (const text of commandsOf(name)) wrong.push(...(await wrongCommands(text)));
    expect(wrong).toEqual([]);
  });
});

describe('the examples of --help', () => {
  /** Every command that does something, with its name. */
  const leaves = (command: Command, name: string): [string, Command][] => [
    [name, command] as [string, Command],
    ...command.commands.flatMap((below) => leaves(below, `${name} ${below.name()}`)),
  ];

  it.each(
    leaves(
      synthriskProgram(() => undefined),
      'synthrisk',
    ),
  )('of %s are taken', async (_, command) => {
    let help = '';
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    const [, examples = ''] = help.split(/^Examples?:$/m);
    // What an example does stands behind it, after two spaces or more, or on a line of its own.
    const lines = examples.split('\n').flatMap((line) => /^ {2}(synthrisk .*?)(?: {2,}.*)?$/.exec(line)?.[1] ?? []);
    const wrong = [];
    for (const line of lines) wrong.push(...(await wrongCommands(line)));
    expect(wrong).toEqual([]);
  });
});

describe('checkArguments()', () => {
  it.each([
    [['evaluat', 'table.csv'], 'unknown command'],
    [['evaluate', 'table.csv', '--sneed', '1'], 'there is no option --sneed'],
    [['assess', 'table.csv', '--synthetic'], 'argument missing'],
    [['compare'], 'missing required argument'],
    [['evaluate', 'table.csv', '--seed', 'one'], '--seed'],
    [['cloud', 'status'], 'missing required argument'],
    [['schema', 'file'], 'too many arguments'],
  ])('refuses %j', async (args, message) => {
    expect(await checkArguments(args)).toContain(message);
  });

  it.each([[['evaluate', 'table.csv', '--quiet']], [['compare', 'a', 'b']], [['evaluate', '--help']]])('takes %j', async (args) => {
    expect(await checkArguments(args)).toBeUndefined();
  });
});
