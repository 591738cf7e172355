import type { Command } from 'commander';
import { newKeys } from '../../../shared/artifacts/stored-keys.ts';
import { environmentNames } from '../../../shared/contracts/cloud/cloud-environment.ts';
import { InvalidConfigError } from '../../../shared/contracts/errors.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { type Check, checkEnvironment, checkTable, reach } from '../../cloud/environment-checks.ts';
import { addCloudFlags, type CloudFlags, printOutcome } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { readConfig, readUserFile } from '../../run/read-config.ts';

interface DoctorFlags extends CloudFlags {
  readonly config?: string;
  readonly deployment?: boolean;
}

const MARKS: Readonly<Record<Check['outcome'], string>> = {
  ok: 'ok      ',
  missing: 'MISSING ',
  'look-up': 'look up ',
  'not-allowed': 'not you ',
};

/** What is asked of CloudFormation, and of what was there before; the clients are loaded when they are asked. */
async function checkDeployment(flags: CloudFlags, region: string, arn: string): Promise<Check[]> {
  const { stack } = environmentNames(flags.environment, flags.namePrefix);
  const { checkDrift, readDeployedStack } = await import('../../cloud/deployed-stack.ts');
  const place = { region, ...(flags.endpoint && { endpoint: flags.endpoint }) };
  const checks: Check[] = [];
  const told = await reach('settings', 'whoever deploys', async () => {
    const { resources = {}, settings } = (await readDeployedStack(stack, place)) ?? {};
    if (settings === undefined) {
      return { name: 'settings', outcome: 'missing', message: `${stack} does not tell its settings: deploy it with this version.` };
    }
    const { bucketName, dataKeyArn } = settings;
    if (typeof bucketName === 'string') {
      const { checkExistingBucket } = await import('../../cloud/bucket-checks.ts');
      checks.push(...(await checkExistingBucket(bucketName, String(dataKeyArn), place)));
    }
    const { checkExistingParts } = await import('../../cloud/existing-parts.ts');
    checks.push(...(await checkExistingParts({ stack, place, settings, resources, arn })));
    return { name: 'settings', outcome: 'ok', message: `${stack} tells its settings` };
  });
  return [told, await reach('drift', 'whoever deploys', () => checkDrift(stack, place)), ...checks];
}

/** `cloud doctor [TABLE]`: whether an environment answers, and whether its quotas are enough for a table. */
export function addDoctor(cloud: Command, exit: (code: number) => void): void {
  addCloudFlags(cloud.command('doctor'))
    .description('whether the environment answers, and its quotas are enough: for a table, if one is named')
    .argument('[table]', 'table that is to be evaluated; it is read here, and stays here')
    .option('--deployment', 'also whether all is as it was deployed (drift), and as it has to be where it was there before')
    .option('--config <file>', 'config of the run (YAML)')
    .addHelpText(
      'after',
      `
Exit code 3 when something is missing. The role Operator and whoever deploys may make every
check but those of --deployment, which whoever deploys makes. Other roles look at the bucket
and at the table, and are shown what another has to ask ("not you").

Examples:
  synthrisk cloud doctor
  synthrisk cloud doctor --deployment --environment prod
  synthrisk cloud doctor table.csv --config run.yaml --environment prod`,
    )
    .action(async (file: string | undefined, flags: DoctorFlags) => {
      if (flags.config !== undefined && file === undefined) {
        throw new InvalidConfigError('no-table', 'A config is checked with its table: name that too.');
      }
      const environment = await openEnvironment(flags);
      const found = await environment.find();
      const table = file === undefined ? null : await readUserFile(file);
      const batchSize = found.size?.batchSize;
      const planned =
        table &&
        (await planRun({
          purpose: 'evaluate',
          config: await readConfig(flags.config, {}),
          table,
          ...newKeys(),
          ...(batchSize === undefined ? {} : { batchSize }),
        }));
      const region = await environment.region;
      const checks: Check[] = [
        { name: 'credentials', outcome: 'ok', message: `found; environment ${flags.environment} in ${region}` },
        ...(await checkEnvironment(environment, found, planned?.plan.batches.length)),
        ...(planned ? checkTable(planned, table.length, found) : []),
        ...(flags.deployment ? await checkDeployment(flags, region, found.stateMachineArn) : []),
      ];
      printOutcome(
        { environment: flags.environment, region, checks },
        checks.map(({ name, outcome, message }) => `${MARKS[outcome]}${name}: ${message}`),
        flags,
      );
      exit(checks.some(({ outcome }) => outcome === 'missing') ? 3 : 0);
    });
}
