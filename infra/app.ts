import { readFileSync } from 'node:fs';
import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, NIST80053R5Checks } from 'cdk-nag';
import { environmentNames } from '../shared/contracts/cloud/cloud-environment.ts';
import { requirePeople } from '../shared/contracts/cloud/people-principals.ts';
import { SynthriskError } from '../shared/contracts/errors.ts';
import { parseSettings } from '../shared/contracts/settings/complete-config.ts';
import { EvaluationStack } from './evaluation-stack.ts';
import { readSettings } from './settings.ts';

/** Makes the environment that the context asks for. The command of CDK starts this program in the project's folder. */
function main(): void {
  const app = new App();
  const { settings: file, ...context } = app.node.getAllContext();
  const kept = typeof file === 'string' ? parseSettings(readFileSync(file), file) : {};
  const settings = readSettings({ ...kept, ...context });
  requirePeople(settings);
  new EvaluationStack(app, environmentNames(settings.environment, settings.namePrefix).stack, { settings, bundles: 'dist/functions' });
  Validations.of(app).addPlugins(new NIST80053R5Checks(app), new AwsSolutionsChecks(app));
  app.synth();
}

try {
  main();
} catch (error) {
  if (!(error instanceof SynthriskError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
