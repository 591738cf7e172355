import type { Command } from 'commander';
import { formatQuantity } from '../../../shared/report/words/format-number.ts';
import { addCloudFlags, type CloudFlags, printOutcome } from '../../cloud/flags.ts';
import { openEnvironment } from '../../cloud/open-environment.ts';
import { type RedrivenEvent, redriveEvents } from '../../cloud/redrive-events.ts';

interface RedriveFlags extends CloudFlags {
  readonly dryRun?: boolean;
  readonly discard?: boolean;
}

const KINDS = { upload: 'Table', end: 'End of the execution', unknown: 'Unknown event' } as const;

/** What became of an event, in words; of a dry run, what would. */
function inWords({ kind, of, outcome, runId, why }: RedrivenEvent, dryRun: boolean): string {
  const became = {
    started: dryRun ? 'would start the workflow' : 'starts the workflow',
    known: 'nothing is left to do',
    left: {
      upload: 'it is of another bucket',
      end: runId === null ? 'it came to no run: upload its table again' : `its run does not say so: synthrisk cloud resume ${runId}`,
      unknown: 'nothing here can redrive it',
    }[kind],
  }[outcome];
  return `${KINDS[kind]}${of === null ? '' : ` ${of}`} (${why}): ${became}`;
}

/** `cloud redrive`: does what could not be done when events were not delivered. */
export function addRedrive(cloud: Command, exit: (code: number) => void): void {
  addCloudFlags(cloud.command('redrive'))
    .description('start the runs of tables whose events were not delivered, and empty the queue of such events')
    .option('--dry-run', 'say what would become of each event; nothing is started or deleted')
    .option('--discard', 'delete also events that cannot be redriven')
    .addHelpText(
      'after',
      `
A table starts the workflow once, in the version that was uploaded, however often this is done or broken off. Where that version
is gone, planning says so beside the upload (\`cloud status NAME\`). Exit code 3: events stay in the queue.

Examples:
  synthrisk cloud redrive --dry-run
  synthrisk cloud redrive --environment prod`,
    )
    .action(async (flags: RedriveFlags) => {
      const environment = await openEnvironment(flags);
      const store = await environment.store();
      const dryRun = flags.dryRun ?? false;
      const discard = flags.discard ?? false;
      const undelivered = await environment.undeliveredCount();
      const events = await redriveEvents(environment, store, { bucket: await environment.bucket(), dryRun, discard });
      const left = events.filter(({ outcome }) => outcome === 'left').length;
      printOutcome(
        { dryRun, undelivered, events, left },
        [
          `${formatQuantity(undelivered, 'undelivered event')} by the count of the queue, ${events.length} read`,
          ...events.map((event) => inWords(event, dryRun)),
        ],
        flags,
      );
      if (left > 0 && !discard) exit(3);
    });
}
