import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { inTemporaryFolder, writeStubBundles } from './synthesize.ts';

const project = process.cwd();
const cdk = resolve('node_modules/aws-cdk/bin/cdk');
const program = `node ${resolve('scripts/run-typescript.mjs')} ${resolve('infra/app.ts')}`;

/** Runs `cdk synth` in a folder of stub bundles, with no program to be found but Node and no credentials. */
function synth(folder: string, ...flags: string[]) {
  writeStubBundles(join(folder, 'dist/functions'));
  copyFileSync(join(project, 'cdk.json'), join(folder, 'cdk.json'));
  return spawnSync(process.execPath, [cdk, 'synth', '--quiet', '--app', program, ...flags], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: `${resolve(process.execPath, '..')}:/bin`,
      HOME: folder,
      // What would answer for a machine of AWS, or a proxy on the way to it.
      AWS_EC2_METADATA_DISABLED: 'true',
      HTTPS_PROXY: 'http://127.0.0.1:9',
    },
  });
}

it('cdk synth needs neither credentials, nor Docker, nor a network, and finds nothing to complain of', () => {
  inTemporaryFolder((folder) => {
    // As `cloud deploy --settings` hands them over: the file, and what is named over it.
    writeFileSync(join(folder, 'trial.yaml'), 'environment: other\ntags: {owner: statistics}\n');
    const { status, stderr } = synth(folder, '-c', 'settings=trial.yaml', '-c', 'environment=trial', '-c', 'peopleArns=nobody');
    expect(status, stderr).toBe(0);
    expect(stderr).not.toMatch(/error|warning/i);
    const output = join(folder, 'dist/cdk.out');
    const { Metadata, Resources } = JSON.parse(readFileSync(join(output, 'synthrisk-trial.template.json'), 'utf8'));
    expect(Object.keys(Resources).length).toBeGreaterThan(50);
    expect(Metadata.SynthriskSettings).toMatchObject({ environment: 'trial', tags: { owner: 'statistics' } });
  });
});

it('cdk synth refuses settings that do not say who may take the roles for people', () => {
  inTemporaryFolder((folder) => {
    const { status, stderr } = synth(folder, '-c', 'engine=lambda');
    expect(status).not.toBe(0);
    expect(stderr).toContain('submitterArns: [arn:aws:iam::111122223333:role/NAME]');
  });
});

it('cdk synth refuses a setting that is wrong, in one line that names it', () => {
  inTemporaryFolder((folder) => {
    const { status, stderr } = synth(folder, '-c', 'fitVcpu=3');
    expect(status).not.toBe(0);
    expect(stderr).toContain('fitVcpu: expected one of 1, 2, 4, 8, 16');
    expect(stderr).not.toContain('    at ');
    expect(existsSync(join(folder, 'dist/cdk.out/synthrisk-dev.template.json'))).toBe(false);
  });
});
