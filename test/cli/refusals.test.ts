import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { smallTable } from '../pipeline/small-run.ts';
import { errorOf, fileStates, filesBelow, synthrisk, temporaryFolder } from '../run-command.ts';

/** A value of the table that no message may hold: messages end up in logs. */
const CANARY = 'CANARY-7Q';

const directory = temporaryFolder();
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(directory, name), content);

/** CSV text of two variables: ten good records, then these lines. */
const goodRecords = Array.from({ length: 10 }, (_, i) => `${i % 2 ? 'm' : 'f'},${i % 3 ? CANARY : 'clerk'}`);
const withLines = (...lines: string[]) => `${['SEX,JOB', ...goodRecords, ...lines].join('\n')}\n`;
const utf16 = (text: string) => Uint8Array.from([0xff, 0xfe, ...new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer)]);

beforeAll(() => {
  put('good.csv', smallTable());
  put('other.csv', smallTable({ seed: 4 }));
});

/**
 * Runs a command and expects it to be refused: exit code 2 with an error of that code and these words, in plain
 * English on standard error and as a document on standard output, without the canary, and with no file made or changed.
 */
async function expectRefusal(args: string[], error: string, ...words: (string | RegExp)[]) {
  const before = fileStates(directory);
  const outcome = await synthrisk(directory, [...args, '--json']);
  const { code, stdout, stderr } = outcome;
  // Neither the code nor the class of an error is anything to a person.
  expect(stderr).toMatch(/^Error: /);
  expect(stderr).not.toMatch(/[a-z]Error\b|\bE[A-Z]{4,}\b/);
  for (const word of words) expect(stderr).toMatch(word);
  expect(stderr).not.toContain('CANARY');
  expect(stderr).not.toContain('mistake in synthrisk');
  expect(stdout).not.toContain('CANARY');
  expect({ code, error: errorOf(outcome).code }).toEqual({ code: 2, error });
  expect(fileStates(directory)).toEqual(before);
}

const evaluate = (...args: string[]) => ['evaluate', ...args, '--out', 'out'];

describe('missing values where nothing is fitted', () => {
  it.each([
    ['utility', '--synthetic', 'good.csv'],
    ['attack', '--synthetic', 'good.csv', '--keys', 'SEX', '--target', 'JOB'],
    ['inherent', '--synthesized', 'SEX', '--known', 'JOB'],
    ['mask', '--method', 'sample', '--sample', '0.5'],
    ['reidentify', '--masked', 'good.csv', '--method', 'sample'],
  ])('%s does not say that a model may impute them', async (command, ...args) => {
    put('holes.csv', withLines(',clerk'));
    put('numbers.csv', `AGE,JOB\n${Array.from({ length: 60 }, (_, i) => `${i + 20},clerk`).join('\n')}\n,${CANARY}\n`);
    await expectRefusal([command, 'holes.csv', ...args, '--quiet'], 'missing-values', '--missing category', /^(?!.*impute)/s);
    const numbers = ['numbers.csv', ...args.map((arg) => (arg === 'SEX' ? 'AGE' : arg)), '--missing', 'category', '--quiet'];
    await expectRefusal([command, ...numbers], 'missing-values', '--breaks AGE', /^(?!.*impute)/s);
  });

  it('a dataset does not say that its missing values may be what the table has none of', async () => {
    put('full.csv', withLines());
    put('holes.csv', withLines(',clerk'));
    const words = ['1 in `SEX`', 'expected none, as in the confidential table', /^(?!.*--missing)/s];
    await expectRefusal(['utility', 'full.csv', '--synthetic', 'holes.csv', '--quiet'], 'missing-values', ...words);
  });

  it('identify matches such records by their other values', async () => {
    put('holes.csv', withLines(',clerk'));
    put('filled.csv', withLines('f,clerk').replace('SEX,JOB\nf', 'SEX,JOB\nm'));
    const args = ['identify', 'holes.csv', '--synthetic', 'filled.csv', '--known', 'JOB', '--synthesized', 'SEX', '--json'];
    const { code, stderr, stdout } = await synthrisk(directory, [...args, '--missing', 'impute']);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ records: 11, applies: true });
  });
});

describe('a bad table is refused', () => {
  const cases: [string, string | Uint8Array, string, ...(string | RegExp)[]][] = [
    ['a ragged row', withLines(`m,${CANARY},1`), 'ragged-row', 'row 11', /expected 2 fields.*found 3/],
    ['an empty line', withLines('', `m,${CANARY}`), 'ragged-row', 'row 11', 'an empty line'],
    ['a duplicate header', withLines().replace('SEX,JOB', 'SEX,SEX'), 'duplicate-variable', 'columns 1 and 2 have the same name'],
    ['an unclosed quote', withLines(`m,"${CANARY}`), 'unclosed-quote', 'row 11, column 2', 'expected a closing quote'],
    ['a stray quote', withLines(`m,a"${CANARY}"`), 'malformed-quote', 'row 11, column 2'],
    ['a UTF-16 file', utf16(withLines()), 'not-utf8', 'UTF-8'],
    ['an empty file', '', 'empty-file', 'expected a header and records'],
    ['a header alone', 'SEX,JOB\n', 'no-records', 'expected at least two'],
    [
      'missing values',
      withLines(`NA,${CANARY}`, `,${CANARY}`, 'm,'),
      'missing-values',
      '2 in `SEX`, 1 in `JOB`',
      'row 11, column `SEX`',
      '--missing category',
    ],
    [
      'a variable of a single category',
      `SEX,JOB\n${`m,${CANARY}\n`.repeat(5)}`,
      'single-category',
      'a single category',
      'in `SEX`, `JOB`:',
    ],
    ['a variable named like a column of the risk table', withLines().replace('JOB', 'rank'), 'reserved-variable-name', '`rank`: '],
  ];

  it.each(cases)('%s', async (_, content, code, ...words) => {
    put('bad.csv', content);
    await expectRefusal(evaluate('bad.csv'), code, ...words);
  });

  it('continuous variables', async () => {
    put('bad.csv', `ID,AGE\n${Array.from({ length: 60 }, (_, i) => `${i % 5}a,${i}.5`).join('\n')}\n`);
    await expectRefusal(
      evaluate('bad.csv'),
      'continuous-variable',
      'Column `AGE` is numeric with 60 distinct values.',
      '--breaks AGE=',
      '--model cart',
    );
  });

  it('one record', async () => {
    put('bad.csv', `SEX,JOB\nm,${CANARY}\n`);
    put('declared.yaml', `variables: { SEX: { categories: [f, m] }, JOB: { categories: [${CANARY}, clerk] } }`);
    await expectRefusal(evaluate('bad.csv', '--config', 'declared.yaml'), 'one-record', 'expected at least two');
  });

  it('a value outside the declared categories', async () => {
    put('bad.csv', withLines());
    put('declared.yaml', 'variables: { JOB: { categories: [clerk, farmer] } }');
    await expectRefusal(
      evaluate('bad.csv', '--config', 'declared.yaml'),
      'value-outside-categories',
      'row 2, column `JOB`',
      'one of the 2 categories',
    );
  });

  it('by every command that reads it', async () => {
    put('bad.csv', withLines(`m,${CANARY},1`));
    const refused = 'ragged-row';
    await expectRefusal(['synthesize', 'bad.csv', '--out', 'out'], refused, 'row 11');
    await expectRefusal(['plan', 'bad.csv', '--json'], refused, 'row 11');
    await expectRefusal(['assess', 'bad.csv', '--synthetic', 'good.csv', '--out', 'out'], refused, 'row 11');
  });

  it('also as a dataset to assess: another variable, another category', async () => {
    put('table.csv', withLines());
    put('bad.csv', withLines().replace('JOB', 'WORK'));
    const assess = ['assess', 'table.csv', '--synthetic', 'bad.csv', '--out', 'out'];
    await expectRefusal(assess, 'absent-variable', 'called `JOB`');
    put('bad.csv', withLines('m,farmer').replaceAll('clerk', 'farmer'));
    await expectRefusal(assess, 'value-outside-categories', 'row 1, column `JOB`');
  });
});

describe('a bad config is refused', () => {
  const config = (text: string) => {
    put('run.yaml', text);
    return evaluate('good.csv', '--config', 'run.yaml');
  };
  const cases: [string, string, string, ...(string | RegExp)[]][] = [
    ['an unknown field', 'sead: 2', 'invalid-config', 'did you mean seed?', 'synthrisk schema'],
    ['an unknown field of a section', 'mcmc: { burnin: 5 }', 'invalid-config', 'did you mean burnIn?', 'at mcmc'],
    ['a number as text', 'mcmc: { chains: many }', 'invalid-config', 'mcmc.chains', 'number'],
    ['a section that is no section', 'model: dpmpm', 'invalid-config', 'model', 'expected object'],
    [
      'a field that may be one of two things and is none, with what it may be',
      'model: { concentration: 1 }',
      'invalid-config',
      'model.concentration',
      /^✖ Invalid input: expected object, received number$/m,
    ],
    ['an empty section', 'mcmc:', 'invalid-config', 'mcmc', 'expected object'],
    ['an option of another version', 'attributeRisk: { prior: jeffreys }', 'invalid-config', 'uniform'],
    [
      'candidates of another version',
      'attributeRisk: { candidates: three-changes }',
      'invalid-config',
      'attributeRisk.candidates',
      'one-change',
    ],
    [
      'a model that there is not',
      'model: { name: cartt }',
      'invalid-config',
      'model.name',
      /did you mean cart\?.*"cart"\|"mixed"\|"beta-binomial"\|"dirichlet-multinomial"/,
    ],
    ['an option of another model', 'model: { name: cart, classes: 3 }', 'invalid-config', 'minimumLeaf', 'at model'],
    [
      'phi as drawn under the model mixed, which integrates it out',
      'model: { name: mixed }\nattributeRisk: { phi: drawn }',
      'phi-of-mixed',
      'attributeRisk.phi',
      'Leave it out',
    ],
    [
      'candidates with two changes under the model mixed',
      'model: { name: mixed }\nattributeRisk: { candidates: two-changes }',
      'candidates-of-mixed',
      '{unknown: [A, B]}',
    ],
    [
      'a prior of what records have under the model mixed',
      'model: { name: mixed }\nattributeRisk: { candidates: { unknown: [region] }, prior: empirical }',
      'prior-of-mixed',
      'Leave others out',
    ],
    [
      'an intruder who knows less, under trees',
      'model: { name: cart }\nsynthesis: { synthesized: [region] }\nattributeRisk: { scenarios: [{ name: x, knows: nothing }] }',
      'lesser-knowledge',
      'offered for the models dpmpm and mixed, not for cart',
    ],
    [
      'an intruder who knows less, under the model mixed with kept variables',
      'model: { name: mixed }\nsynthesis: { synthesized: [region] }\nattributeRisk: { scenarios: [{ name: x, knows: nothing }] }',
      'lesser-knowledge',
      'data that keep no variable',
    ],
    ['a model that needs kept variables, without any', 'model: { name: dp-areal }', 'nothing-kept', 'synthesis.synthesized'],
    ['a negative radius', 'identification: [{ known: [region], radius: { A: -1 } }]', 'invalid-config', 'radius.A'],
    ['a radius that is none', 'identification: [{ known: [region], radius: { A: 1% } }]', 'invalid-config', 'abs:'],
    ['YAML that is none', 'seed: 1\nmodel: { classes: 40', 'malformed-config', 'run.yaml, line 2, column '],
    ['an alias without an anchor', 'seed: *one', 'malformed-config', 'run.yaml'],
    ['a list', '- seed: 1', 'malformed-config', 'fields such as'],
    ['an override of no variable', 'variables: { SEXX: { type: categorical } }', 'unknown-variable', 'SEXX'],
    ['an acceptance rule of no figure', 'acceptance: ["attributeRisk.risk <= 1"]', 'unknown-figure', 'truthRankedFirstShare <= 0.05'],
    ['a malformed acceptance rule', 'acceptance: ["risk is low"]', 'malformed-rule', 'Acceptance rule 1 '],
  ];

  it.each(cases)('%s', async (_, text, code, ...words) => {
    await expectRefusal(config(text), code, ...words);
  });

  it('a config that is not there', async () => {
    const args = evaluate('good.csv', '--config', 'gone.yaml');
    await expectRefusal(args, 'unreadable-file', 'no file gone.yaml');
  });
});

describe('a bad command line is refused', () => {
  const cases: [string, string[], string, ...(string | RegExp)[]][] = [
    [
      'an unknown flag',
      evaluate('good.csv', '--chanes', '4'),
      'unknown-option',
      'no option --chanes (did you mean --chains?)',
      'synthrisk evaluate --help shows the options and examples.',
    ],
    ['an unknown command', ['evalute', 'good.csv'], 'unknown-command', 'did you mean evaluate?'],
    ['a flag that wants a number', evaluate('good.csv', '--chains', 'four'), 'invalid-argument', 'whole number'],
    ['a flag that wants a positive number', evaluate('good.csv', '--jobs', '0'), 'invalid-argument', 'from 1'],
    ['a choice that there is not', evaluate('good.csv', '--estimator', 'best'), 'invalid-argument', 'augmented'],
    ['a second table', evaluate('good.csv', 'other.csv'), 'excess-arguments', 'Too many arguments'],
    [
      'candidates beside unknown variables',
      evaluate('good.csv', '--candidates', 'one-change', '--unknown', 'region'),
      'conflicting-option',
      "'--unknown <variables>' cannot be used with option '--candidates <kind>'",
    ],
    ['too few chains', evaluate('good.csv', '--chains', '1'), 'invalid-argument', '--chains <n> does not take'],
    ['a radius without a variable', evaluate('good.csv', '--known', 'region', '--radius', '0.1'), 'invalid-argument', 'INCOME=0.1'],
    ['a radius without a known variable', evaluate('good.csv', '--radius', 'INCOME=0.1'), 'no-known', 'known'],
    [
      'options of chains with a model that has none',
      evaluate('good.csv', '--model', 'cart', '--synthesized', 'region', '--chains', '4'),
      'not-of-cart',
      'mcmc.chains',
    ],
    ['no table', evaluate(), 'no-table', 'Name a table'],
    ['a table that is not there', evaluate('gone.csv'), 'unreadable-file', 'gone.csv'],
    ['a folder as the table', evaluate('.'), 'unreadable-file', '. is a folder, and a file is expected.'],
    [
      'an unknown variable that the table lacks',
      evaluate('good.csv', '--unknown', 'region,wealth'),
      'unknown-variable',
      'the table has no variable wealth',
    ],
    ['a variable unknown twice', evaluate('good.csv', '--unknown', 'region,region'), 'repeated-variable'],
    ['an acceptance rule', evaluate('good.csv', '--accept', 'x <= 1'), 'unknown-figure'],
    ['no datasets', ['assess', 'good.csv', '--out', 'out'], 'no-datasets', '--synthetic'],
    ['a dataset that is not there', ['assess', 'good.csv', '--synthetic', 'gone.csv', '--out', 'out'], 'unreadable-file', 'gone.csv'],
    [
      'a table named after the datasets',
      ['assess', '--synthetic', 'other.csv', 'good.csv', '--out', 'out'],
      'no-table',
      'before flags that take several values',
    ],
    [
      'the estimator of the parameters on datasets made elsewhere',
      ['assess', 'good.csv', '--synthetic', 'good.csv', '--estimator', 'parameters', '--out', 'out'],
      'generating-draws-unknown',
      'assess --run DIR',
    ],
    ['a report of no run', ['report', 'gone'], 'no-run', 'gone holds no run'],
    ['a folder without a name', ['report', 'gone', '--attack', ''], 'invalid-argument', '--attack <dir> is empty: name a folder'],
    ['a run without a name', ['compare', 'gone', ''], 'invalid-argument', "<runs> does not take '': expected a name"],
    ['a file without a name', ['utility', 'good.csv', '--synthetic', ''], 'invalid-argument', 'is empty: name a file'],
    ...([
      ['--sampling-fraction', '2', 'above 0 and below 1'],
      ['--rapid-threshold', '0', 'above 0 and below 1'],
      ['--rapid-tolerance', '2', 'above 0 and below 2'],
      ['--keys', '', 'none of them empty'],
      ['--target', 'region,', 'none of them empty'],
    ].map(([flag, value, expected]) => [
      `${flag} of attack out of its range`,
      ['attack', 'good.csv', '--synthetic', 'other.csv', flag!, value!],
      'invalid-argument',
      new RegExp(`${flag} <.*expected .*${expected}`),
    ]) satisfies typeof cases),
    ...([
      ['plan', '--slope', '0', 'above 0 and at most 1000'],
      ['plan', '--reproducibility', '1', 'above 0 and below 1'],
      ['plan', '--reproducibility', 'probability=0', 'above 0 and below 1'],
      ['plan', '--max-chains', '0.5x', 'a number from 1'],
      ['plan', '--epsilon', '0', 'a number above 0'],
      ['plan', '--chains', '1', 'a whole number from 2'],
      ['plan', '--paired-draws', '3', 'a whole number from 4'],
      ['plan', '--classes', '65536', 'a whole number from 1 and at most 65535'],
      ['plan', '--seed', '9007199254740992', 'from 0 and at most 9007199254740991'],
      ['plan', '--decimals', 'region=13', 'a whole number from 0 and at most 12'],
      ['identify', '--radius', 'region=-1', 'such as region=0.1'],
      ['identify', '--radius', 'region=abs:-1', 'such as region=abs:500'],
      ['identify', '--sweep', '0.1,-1', 'a number from 0'],
      ['calibrate', '--targets', '1', 'a whole number from 2'],
    ].map(([command, flag, value, expected]) => [
      `${flag} of ${command} as ${value}`,
      [command!, 'good.csv', '--synthetic', 'other.csv', flag!, value!].filter((_, at) => command === 'identify' || (at !== 2 && at !== 3)),
      'invalid-argument',
      new RegExp(`${flag} [<[].* does not take '.*': expected .*${expected}`),
    ]) satisfies typeof cases),
    ['a report of nothing', ['report'], 'missing-argument', "Missing required argument 'run'"],
  ];

  it.each(cases)('%s', async (_, args, error, ...words) => {
    await expectRefusal(args, error, ...words);
  });

  it('no command, with the list of commands', async () => {
    const { code, stdout, stderr } = await synthrisk(directory, []);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('evaluate [options] [table]');
  });
});

describe('a folder in use is refused', () => {
  it('one that holds other files', async () => {
    mkdirSync(join(directory, 'mine'));
    put('mine/thesis.txt', 'years of work');
    const args = ['evaluate', 'good.csv', '--out', 'mine'];
    await expectRefusal(args, 'folder-in-use', 'mine holds files');
    await expectRefusal([...args, '--resume'], 'folder-in-use', 'mine holds files');
  });

  it('one that holds a run.json of something else', async () => {
    mkdirSync(join(directory, 'theirs'));
    put('theirs/run.json', '{"run": "npm start"}');
    const args = ['evaluate', 'good.csv', '--out', 'theirs'];
    await expectRefusal(args, 'folder-in-use', 'not of a run');
    await expectRefusal(['report', 'theirs'], 'no-run', 'not of a run');
  });

  it('one that is a file', async () => {
    const args = ['evaluate', 'good.csv', '--out', 'other.csv'];
    await expectRefusal(args, 'folder-in-use', 'other.csv is not a folder');
  });
});

describe('another run is refused', () => {
  const flags = ['--classes', '6', '--burn-in', '10', '--datasets', '2'];

  beforeAll(async () => {
    const run = await synthrisk(directory, ['synthesize', 'good.csv', ...flags, '--out', 'run']);
    expect(run.code, run.stderr).toBe(0);
  });

  it('in the folder of a run of another table, config or purpose', async () => {
    const other = 'other-run';
    await expectRefusal(['evaluate', 'good.csv', ...flags, '--out', 'run'], other, 'run holds another run');
    await expectRefusal(['synthesize', 'other.csv', '--out', 'run', '--resume'], other, 'another --out');
  });

  const assess = (...args: string[]) => ['assess', ...args, '--run', 'run', '--out', 'out'];

  it('as that of another table, other datasets, or other settings of table and model', async () => {
    put('more.yaml', 'variables: { education: { categories: [Primary, Secondary, Tertiary, Doctorate] } }');

    await expectRefusal(assess('other.csv'), 'other-table', 'run is of another table');
    await expectRefusal(assess('good.csv', '--synthetic', 'good.csv', 'good.csv'), 'other-datasets');
    const reversed = ['run/release/synthetic-2.csv', 'run/release/synthetic-1.csv'];
    await expectRefusal(assess('good.csv', '--synthetic', ...reversed), 'other-datasets', 'order');
    await expectRefusal(assess('good.csv', '--classes', '7'), 'other-classes', '6 classes');
    await expectRefusal(assess('good.csv', '--config', 'more.yaml'), 'other-variables', 'variables');
    await expectRefusal(assess('good.csv', '--missing', 'category'), 'other-variables', 'missing');
    await expectRefusal(assess(), 'no-table');
  });

  it('as a report, when it assessed no risk', async () => {
    await expectRefusal(['report', 'run'], 'nothing-to-report', 'no risk');
  });

  it('and all that left no folder behind', () => {
    expect(filesBelow(join(directory, 'out'))).toEqual([]);
    expect(filesBelow(join(directory, 'synthrisk-runs'))).toEqual([]);
  });
});

describe('a file of more than 2 GiB', () => {
  it('is refused as such, with what to do', async () => {
    const own = temporaryFolder();
    const path = join(own, 'large.csv');
    writeFileSync(path, 'A,B\n');
    // Of zeros that take no place on the disk.
    truncateSync(path, 2 ** 31);
    for (const args of [evaluate('large.csv'), ['cloud', 'submit', 'large.csv', '--region', 'us-east-1']]) {
      const outcome = await synthrisk(own, [...args, '--json']);
      expect({ code: outcome.code, error: errorOf(outcome).code }).toEqual({ code: 2, error: 'file-too-large' });
      expect(outcome.stderr).toMatch(/larger than 2 GiB.*Parquet/s);
    }
  });
});
