import { describe, expect, it } from 'vitest';
import { calledCommands } from './called-commands.ts';
import { checkCommand } from './check-command.ts';
import { readPage } from './page-blocks.ts';
import { smaller } from './run-page.ts';

describe('readPage()', () => {
  it('finds blocks with their lines, in lists as well, and how each is tested', () => {
    const page = readPage(`# Title

    npm start

Text with \`synthrisk plan table.csv\`.

<!-- test: exit 4 -->

    npm test

1. In a list:

   \`\`\`yaml
   # run.yaml
   seed: 1
   \`\`\`

<!-- test: parsed, needs an account -->

\`\`\`sh
aws s3 ls
\`\`\`
`);
    expect(page.blocks).toEqual([
      { line: 3, language: 'sh', text: 'npm start', manner: 'run', exit: 0 },
      { line: 9, language: 'sh', text: 'npm test', manner: 'run', exit: 4 },
      { line: 13, language: 'yaml', text: '# run.yaml\nseed: 1', manner: 'run', exit: 0 },
      { line: 20, language: 'sh', text: 'aws s3 ls', manner: 'parsed', exit: 0 },
    ]);
    expect(page.quoted).toEqual(['synthrisk plan table.csv']);
  });

  it('knows what stands in for a table of the reader', () => {
    expect(readPage('<!-- test: table.csv is household.csv -->\n\nText.\n').given).toEqual({ 'table.csv': 'household.csv' });
  });

  it.each([
    ['an unknown marker', '<!-- test: skipped -->\n\n    npm start\n'],
    ['no reason for a block that is not run', '<!-- test: parsed -->\n\n    npm start\n'],
    ['a marker before text', '<!-- test: small -->\n\nText.\n\n    npm start\n'],
    ['a marker at the end', 'Text.\n\n<!-- test: small -->\n'],
  ])('refuses %s', (_, source) => {
    expect(() => readPage(source)).toThrow(SyntaxError);
  });
});

describe('calledCommands()', () => {
  it('finds every command with its arguments as a shell reads them', () => {
    const block = `npx --no-install synthrisk plan 'my table.csv' # why\nNAME=1 npm run build && aws s3 ls | cut -c1\n`;
    expect(calledCommands(block).toSorted()).toEqual([
      ['aws', 's3', 'ls'],
      ['cut', '-c1'],
      ['npm', 'run', 'build'],
      ['npx', '--no-install', 'synthrisk', 'plan', 'my table.csv'],
    ]);
  });

  it.each(['curl https://example.com', "npm run 'build", 'npm start <runId>'])('refuses %j', (block) => {
    expect(() => calledCommands(block)).toThrow('the shell ended with');
  });
});

describe('checkCommand()', () => {
  it.each([
    ['npm run nothing', 'no script nothing'],
    ['npx nothing', 'no package has the program nothing'],
    ['npx --no-install synthrisk plam', 'unknown command'],
    ['npx --yes ./synthrisk-*.tgz plam', 'unknown command'],
    ['nice npm run nothing', 'no script nothing'],
  ])('refuses %j', async (command, message) => {
    expect(await checkCommand(command.split(' '))).toContain(message);
  });

  it.each(['npm ci', 'npm test', 'npm run build', 'npx vitest run', 'npx cdk synth', 'aws s3 ls'])('takes %j', async (command) => {
    expect(await checkCommand(command.split(' '))).toBeUndefined();
  });
});

describe('smaller()', () => {
  it('puts flags behind commands that run chains, and leaves others', () => {
    expect(smaller('npx ./synthrisk-*.tgz evaluate a.csv\nnpx --no-install synthrisk plan a.csv')).toMatch(
      /^npx \.\/synthrisk-\*\.tgz evaluate --classes 6 .* a\.csv\nnpx --no-install synthrisk plan a\.csv$/,
    );
  });

  it('lets a target add a few chains alone', () => {
    expect(smaller('npx --no-install synthrisk evaluate a.csv --reproducibility 0.99')).toMatch(/--reproducibility 0\.99 --max-chains 30$/);
  });
});
