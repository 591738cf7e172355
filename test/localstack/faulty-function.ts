import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LambdaClient, UpdateFunctionCodeCommand } from '@aws-sdk/client-lambda';
import { paths, root } from '../../localstack/emulator.ts';
import { nameOfFunction, publishFunction } from './published-function.ts';

const lambda = new LambdaClient({});

/** Functions of the stack that tests put faults into: part of their name, without hyphens, and folder of their bundle. */
const FUNCTIONS = { AssessBatch: 'assess-batch', FitModel: 'fit-model-lambda' } as const;

/** Gives a function other code, files by name, and publishes it. */
async function deploy(part: keyof typeof FUNCTIONS, files: Readonly<Record<string, string>>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'synthrisk-function-'));
  try {
    const bundle = join(root, 'dist/functions', FUNCTIONS[part], 'index.mjs');
    const names = Object.keys(files);
    for (const name of names) writeFileSync(join(directory, name), files[name]!);
    if (names.length > 0) copyFileSync(bundle, join(directory, 'original.mjs'));
    else copyFileSync(bundle, join(directory, 'index.mjs'));
    const zipped = ['-m', 'zipfile', '-c', 'code.zip', 'index.mjs', ...(names.length > 0 ? ['original.mjs'] : [])];
    const { status } = spawnSync(`${paths.environment}/bin/python`, zipped, { cwd: directory });
    if (status !== 0) throw new Error('the function could not be packed');
    const FunctionName = await nameOfFunction(part);
    const ZipFile = readFileSync(join(directory, 'code.zip'));
    await lambda.send(new UpdateFunctionCodeCommand({ FunctionName, ZipFile }));
    await publishFunction(FunctionName);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * Puts a fault into a function while some work is done. `fault` is the source of a module that exports a `handler`
 * and finds the function's own as `./original.mjs`.
 */
export async function withFault<T>(part: keyof typeof FUNCTIONS, fault: string, work: () => Promise<T>): Promise<T> {
  await deploy(part, { 'index.mjs': fault });
  try {
    return await work();
  } finally {
    await deploy(part, {});
  }
}
