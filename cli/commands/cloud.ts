import type { Command } from 'commander';
import { addCanary } from './cloud/canary.ts';
import { addCancel } from './cloud/cancel.ts';
import { addDeploy } from './cloud/deploy.ts';
import { addDoctor } from './cloud/doctor.ts';
import { addFetch } from './cloud/fetch.ts';
import { addPredictions } from './cloud/predictions.ts';
import { addPurge } from './cloud/purge.ts';
import { addRecord } from './cloud/record.ts';
import { addRedrive } from './cloud/redrive.ts';
import { addRelease } from './cloud/release.ts';
import { addResume } from './cloud/resume.ts';
import { addStatus } from './cloud/status.ts';
import { addSubmit } from './cloud/submit.ts';

/** `cloud`: the same evaluation in an agency's AWS account. */
export function addCloud(program: Command, exit: (code: number) => void): void {
  const cloud = program
    .command('cloud')
    .description("the same evaluation in an agency's AWS account")
    .addHelpText(
      'after',
      `
Examples:
  synthrisk cloud deploy --environment prod
  synthrisk cloud doctor table.csv --environment prod
  synthrisk cloud submit table.csv --config run.yaml --environment prod
  synthrisk cloud status 4f1c0a9b2d3e5f60 --environment prod --wait
  synthrisk cloud fetch 4f1c0a9b2d3e5f60 --environment prod`,
    );
  addDeploy(cloud);
  addDoctor(cloud, exit);
  addSubmit(cloud);
  addStatus(cloud, exit);
  addCanary(cloud, exit);
  addFetch(cloud);
  addCancel(cloud);
  addResume(cloud);
  addRecord(cloud);
  addRedrive(cloud, exit);
  addRelease(cloud);
  addPredictions(cloud);
  addPurge(cloud);
}
