import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { bootstrap, CDK_ENVIRONMENT, SETTINGS } from '../../localstack/cdk.ts';
import { endpoint, environmentIn, paths } from '../../localstack/emulator.ts';
import { FOLLOWED_PAGES, followedPage } from '../docs/followed-pages.ts';
import { freshClone } from '../docs/fresh-clone.ts';
import type { Block } from '../docs/page-blocks.ts';
import { type Ended, runShell, saveFile } from '../docs/run-page.ts';
import { SMALL_SETTINGS } from '../pipeline/small-run.ts';

/** Flags of `cloud deploy` in the emulator, whose CDK looks for no region in its environment. Nobody is there to be asked. */
const deployFlags = (region: string) => ['--endpoint', endpoint, '--yes', '--setting', `region=${region}`, ...SETTINGS].join(' ');

/** Where the emulator's own Python keeps the command line of AWS. */
const PATH = [join(paths.environment, 'bin'), process.env.PATH].join(delimiter);

/**
 * Each page is followed in a region where nothing is, as by somebody who begins. The other tests look for their stack by the
 * names of its functions, in theirs.
 */
const PAGES = [
  {
    name: 'docs/how-to/cloud.md',
    region: 'eu-west-1',
    prints: [
      /^synthrisk-dev\.BucketName = /m,
      /^synthrisk-prod\.BucketName = /m,
      /^ok {6}bucket: [\s\S]*^[0-9a-f]{16}$/m,
      /: finished, \$[\s\S]* files in synthrisk-runs\/[0-9a-f]{16}, as the signed manifest describes them$/m,
      /^Run [0-9a-f]{16}: finished, /m,
      /release approved by [\s\S]*as the signed manifest[\s\S]*had been fetched/,
      /^Verified OK$/m,
      /^To release, if a person decides so: +here\/release$/m,
    ],
    cleared: 'npx --no-install synthrisk cloud purge RUN --yes',
  },
];

/** What blocks have printed that later ones need: words in capitals, which the reader fills in. */
type FilledIn = Map<'BUCKET' | 'RUN', string>;

/** Keeps what a block printed for the reader to fill in later: the environment's bucket, the id of a run. */
function note(filledIn: FilledIn, output: string): void {
  const bucket = /^synthrisk-dev\.BucketName = (\S+)$/m.exec(output)?.[1];
  const run = /^[0-9a-f]{16}$/m.exec(output)?.[0];
  if (bucket !== undefined) filledIn.set('BUCKET', bucket);
  if (run !== undefined) filledIn.set('RUN', run);
}

/** The commands of a block with what the reader fills in, and the flags that a deployment to the emulator needs. */
function readyToRun(text: string, filledIn: FilledIn, region: string): string {
  return text
    .replace(/\b(BUCKET|RUN)\b/g, (word) => {
      const value = filledIn.get(word as 'BUCKET' | 'RUN');
      if (value === undefined) throw new Error(`no block before has printed what ${word} stands for`);
      return value;
    })
    .replaceAll('cloud deploy', `cloud deploy ${deployFlags(region)}`);
}

/** Saves settings under the name that their block says. Those of GovCloud become those of a region that the emulator has. */
function saveSettings(folder: string, block: Block, region: string): void {
  const text = block.text.replaceAll('us-gov-west-1', region).replaceAll('aws-us-gov', 'aws');
  saveFile(folder, { ...block, text });
}

it('are the pages with blocks that need an account, and no others have any', () => {
  const emulated = FOLLOWED_PAGES.map((name) => [name, followedPage(name).blocks.filter(({ manner }) => manner === 'emulated').length]);
  expect(emulated.filter(([, blocks]) => blocks !== 0)).toEqual(PAGES.map(({ name, prints }) => [name, prints.length]));
});

describe.each(PAGES)('the commands of $name that need an account', ({ name, region, prints, cleared }) => {
  const page = followedPage(name);
  const followed = page.blocks.filter(({ language, manner }) => language === 'yaml' || manner === 'emulated');
  const filledIn: FilledIn = new Map();
  let clone: ReturnType<typeof freshClone>;

  const run = ({ text, ...block }: Block): Promise<Ended> =>
    runShell(clone.folder, { ...block, text: readyToRun(text, filledIn, region) }, { ...environmentIn(region), ...CDK_ENVIRONMENT, PATH });

  beforeAll(() => {
    expect(bootstrap(region)).toBe(true);
    clone = freshClone(page.given, false);
    // The reader's own, where the page has none: few and short chains.
    writeFileSync(join(clone.folder, 'run.yaml'), stringify(SMALL_SETTINGS));
  });
  afterAll(() => clone.remove());

  const emulated = followed.filter(({ manner }) => manner === 'emulated');

  // In their order: a block finds what those before it have left. After one that fails, so do the others.
  let failed = false;
  it.for(followed.map((block) => [`line ${block.line}`, block] as const))('%s', async ([, block]) => {
    expect(failed, 'a block before it failed').toBe(false);
    failed = true;
    if (block.language === 'yaml') saveSettings(clone.folder, block, region);
    else {
      const { code, output } = await run(block);
      expect(code, output.slice(-3000)).toBe(block.exit);
      expect(output).toMatch(prints[emulated.indexOf(block)]!);
      note(filledIn, output);
    }
    failed = false;
  });

  it(`leave what \`${cleared}\` clears away`, async () => {
    const { code, output } = await run({ ...emulated[0]!, text: cleared });
    expect(code, output).toBe(0);
  });
});
