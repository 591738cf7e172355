import type { OnShare } from '../../shared/contracts/stepwise.ts';
import { runSteps } from './progress.ts';
import { readUserFile } from './read-config.ts';

/** Opens a file that a user named when it is needed. */
type OpenFile = (path: string) => () => Promise<Uint8Array>;

/**
 * Reads files that a user named, with progress and what was noticed on standard error.
 *
 * @param files how many there are
 * @param plan reads them one after the other
 * @throws what `plan` throws
 */
export async function readFiles<Planned extends { readonly notices: readonly string[] }>(
  files: number,
  quiet: boolean,
  plan: (open: OpenFile) => Promise<Planned>,
): Promise<Planned> {
  let planned: Planned | undefined;
  const work = async (onShare: OnShare) => {
    let asked = 0;
    planned = await plan((path) => () => {
      // The file before has been read when the next one is asked for.
      onShare(asked++ / files);
      return readUserFile(path);
    });
    if (!quiet) for (const notice of planned.notices) process.stderr.write(`Notice: ${notice}\n`);
  };
  await runSteps([{ title: 'Read the files', work }], quiet);
  return planned!;
}
