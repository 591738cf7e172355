import { fileURLToPath } from 'node:url';

/** The project's folder, also for a bundle of this file, which lies in dist/. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Everything that the emulator writes, which git ignores. */
const folder = `${root}localstack/.emulator`;

/** Where the emulator keeps what. */
export const paths = {
  folder,
  environment: `${folder}/python`,
  package: `${folder}/package`,
  files: `${folder}/files`,
  log: `${folder}/localstack.log`,
  /** Outputs of the stack that was deployed last. */
  outputs: `${folder}/outputs.json`,
  /** Process id of the emulator that runs. */
  process: `${folder}/process`,
} as const;

/** Port on which the emulator listens, on this machine alone. */
const port = Number(process.env.LOCALSTACK_PORT ?? 4566);

/** Where the emulator answers. */
export const listen = `127.0.0.1:${port}`;

/** Address of the emulator, for clients. */
export const endpoint = `http://${listen}`;

/** What clients of the emulator find in their environment: it takes any credentials, and every region of the commercial ones. */
export const environmentIn = (region: string) =>
  ({
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_S3: endpoint,
  }) as const;

/** The same in the region of the stack that `npm run localstack:deploy` makes. */
export const clientEnvironment = environmentIn('us-east-1');

/** Whether an emulator answers. */
export async function isRunning(): Promise<boolean> {
  try {
    return (await fetch(`${endpoint}/_localstack/health`)).ok;
  } catch {
    return false;
  }
}

/** Ends the program with one line on standard error. */
export function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
