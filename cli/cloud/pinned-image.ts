import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeImagesCommand, ECRClient } from '@aws-sdk/client-ecr';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { environmentNames } from '../../shared/contracts/cloud/cloud-environment.ts';
import type { Settings } from '../../shared/contracts/cloud/environment-settings.ts';
import { ServiceError } from '../../shared/contracts/errors.ts';
import { CLIENT_TIMEOUTS } from '../../shared/storage/client-timeouts.ts';
import { type CdkCommand, cdkCommand, type Deployment } from './cdk-command.ts';
import type { StackPlace } from './deployed-stack.ts';

/** Digests as registries write them. */
const DIGEST = /sha256:[0-9a-f]{64}/;

/**
 * The digest under which a registry has an image now, of its arm64 variant or of the list that it is in.
 *
 * @param docker Docker, or a program like it
 * @throws ServiceError `no-base-image` when the image cannot be fetched
 */
function digestOfBase(image: string, docker: string): string {
  const pulled = spawnSync(docker, ['pull', '--quiet', '--platform', 'linux/arm64', image], { stdio: ['ignore', 'ignore', 2] });
  const inspect = ['image', 'inspect', '--format', '{{json .RepoDigests}}', image];
  const { stdout = '' } = pulled.status === 0 ? spawnSync(docker, inspect, { encoding: 'utf8' }) : {};
  const digest = DIGEST.exec(stdout)?.[0];
  if (digest !== undefined) return digest;
  throw new ServiceError(
    'no-base-image',
    `${docker} could not fetch ${image}, or does not say its digest. Name another with --setting baseImage.`,
  );
}

/** Where a container image was published, as CDK's manifest of assets says. */
interface PublishedImage {
  readonly repositoryName: string;
  readonly imageTag: string;
  /** The role that publishes images, made when the account was bootstrapped. */
  readonly assumeRoleArn: string;
}

/** The one container image in CDK's manifest of assets; what stands for an account, region or partition is filled in. */
function publishedImage(manifest: string, place: Readonly<Record<'AccountId' | 'Partition' | 'Region', string>>): PublishedImage {
  const { dockerImages } = JSON.parse(manifest) as { dockerImages: Record<string, { destinations: Record<string, PublishedImage> }> };
  const [{ assumeRoleArn, imageTag, repositoryName }] = Object.values(dockerImages).flatMap(({ destinations }) =>
    Object.values(destinations),
  ) as [PublishedImage];
  const filled = (text: string) => text.replace(/\$\{AWS::(\w+)\}/g, (_, name: string) => place[name as keyof typeof place]);
  return { repositoryName: filled(repositoryName), imageTag, assumeRoleArn: filled(assumeRoleArn) };
}

/**
 * The digest of the image that was published for a stack: asked of the registry in the role that published it, since whoever deploys
 * may have no other right there.
 *
 * @param manifest CDK's manifest of assets
 * @param account the account of the environment, unless it is that of the credentials
 * @throws ServiceError when STS or the registry refuses
 */
async function digestOfPublished(manifest: string, account: string | undefined, place: StackPlace): Promise<string> {
  const sts = new STSClient({ requestHandler: CLIENT_TIMEOUTS, ...place });
  const ask = <Answer>(request: string, sent: Promise<Answer>) =>
    sent.catch((error: Error) => {
      throw new ServiceError(error.name, `${request}: ${error.name}.`);
    });
  const caller = await ask('STS GetCallerIdentity', sts.send(new GetCallerIdentityCommand({})));
  const region = await sts.config.region();
  const Partition = caller.Arn!.split(':')[1]!;
  const image = publishedImage(manifest, { AccountId: account ?? caller.Account!, Partition, Region: region });
  const { assumeRoleArn: RoleArn, imageTag, repositoryName } = image;
  const { Credentials } = await ask(
    `STS AssumeRole ${RoleArn}`,
    sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'synthrisk-deploy' })),
  );
  const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials!;
  const credentials = { accessKeyId: AccessKeyId!, secretAccessKey: SecretAccessKey!, sessionToken: SessionToken! };
  const ecr = new ECRClient({ requestHandler: CLIENT_TIMEOUTS, ...place, region, credentials });
  const described = await ask(
    `ECR DescribeImages ${repositoryName}`,
    ecr.send(new DescribeImagesCommand({ repositoryName, imageIds: [{ imageTag }] })),
  );
  return described.imageDetails![0]!.imageDigest!;
}

/**
 * A deployment that names images by their digests: that which the container is built on, as its registry has it now, unless the settings name
 * one, and that of the container, which is built and pushed before.
 *
 * @param run runs a command of CDK
 * @param docker Docker, or a program like it
 * @param output where CDK writes its manifests
 * @throws ServiceError when an image cannot be fetched, built, pushed or found
 */
export async function pinImages(
  deployment: Deployment,
  { account, baseImage, baseImageDigest, environment, namePrefix }: Settings,
  { run, docker, output }: { readonly run: (command: CdkCommand) => void; readonly docker: string; readonly output: string },
): Promise<Deployment> {
  const base = /@/.test(baseImage) || baseImageDigest !== undefined ? [] : [`baseImageDigest=${digestOfBase(baseImage, docker)}`];
  const built = { ...deployment, settings: [...deployment.settings, ...base] };
  run(cdkCommand(built, 'publish-assets'));
  const manifest = readFileSync(join(output, `${environmentNames(environment, namePrefix).stack}.assets.json`), 'utf8');
  const { endpoint, region } = deployment;
  const digest = await digestOfPublished(manifest, account, { ...(region && { region }), ...(endpoint && { endpoint }) });
  return { ...built, settings: [...built.settings, `imageDigest=${digest}`] };
}
