import { allKnownFiles, allPriorFiles, type Config } from '../../contracts/config/config.ts';
import { type UploadKeys, uploadFileKeys } from '../../contracts/keys.ts';
import type { Store } from '../../storage/store.ts';
import type { RunRequest } from '../plan/planned-run.ts';

/**
 * Files beside an uploaded table that its config names: each with the key under which it lies, by its place among those of
 * its kind, and the path that the config has for it.
 */
export function uploadedFiles(config: Config, upload: UploadKeys) {
  const keys = uploadFileKeys(upload);
  const { structuralZeros } = config.synthesis;
  const { control } = config.attributeRisk;
  return {
    zeros: structuralZeros === undefined ? null : { key: keys.structuralZeros, path: structuralZeros },
    control: control === undefined ? null : { key: keys.control, path: control },
    priors: allPriorFiles(config).map((path, at) => ({ key: keys.prior(at + 1), path })),
    known: allKnownFiles(config).map((path, at) => ({ key: keys.known(at + 1), path })),
  };
}

/** Reads these files. What is not there is left out, for planning to refuse. */
export async function readUploadedFiles(
  store: Store,
  config: Config,
  upload: UploadKeys,
): Promise<Pick<RunRequest, 'structuralZeros' | 'control' | 'priorFiles' | 'knownFiles'>> {
  const { zeros, control, priors, known } = uploadedFiles(config, upload);
  const read = async (key: string) => ((await store.head(key)) === null ? null : store.get(key));
  const zeroBytes = zeros && (await read(zeros.key));
  const controlBytes = control && (await read(control.key));
  const priorFiles = await Promise.all(priors.map(({ key }) => read(key)));
  const knownFiles = new Map<string, Uint8Array>();
  for (const { key, path } of known) {
    const bytes = await read(key);
    if (bytes) knownFiles.set(path, bytes);
  }
  const allPriors = priorFiles.filter((bytes) => bytes !== null);
  return {
    knownFiles,
    ...(zeroBytes ? { structuralZeros: zeroBytes } : {}),
    ...(controlBytes ? { control: controlBytes } : {}),
    ...(allPriors.length > 0 && allPriors.length === priors.length ? { priorFiles: allPriors } : {}),
  };
}
