import * as z from 'zod';
import { openShare, positiveInteger } from '../number-schemas.ts';

/**
 * Which records the intruder has, who otherwise has all but one: none, a share of them drawn at random, or those that a
 * file names. In what is stored a file is its SHA-256, with a number among those of its run.
 */
export const knowledgeSchema = z.union([
  z.literal('nothing'),
  z.strictObject({ share: openShare }),
  z.strictObject({
    file: z.string().min(1),
    number: positiveInteger.optional().describe('Not to be given: which file of its run this is'),
  }),
]);

/** Which records an intruder has who does not have all but one. */
export type Knowledge = z.infer<typeof knowledgeSchema>;

/**
 * The name of such knowledge in keys and streams: equal for scenarios whose intruders have the same records. Keys can be
 * listed, so that a file is called by its number, and by its path only before a run is planned.
 */
export function knowledgeName(knows: Knowledge): string {
  if (knows === 'nothing') return 'nothing';
  return 'share' in knows ? `share-${knows.share}` : `file-${knows.number ?? knows.file}`;
}

/** Such knowledge in words that tell nothing of a file. */
export function knowledgeInWords(knows: Knowledge): string {
  if (knows === 'nothing') return 'no record';
  return 'share' in knows ? `a share of ${knows.share} of the records, drawn at random` : 'records of a file';
}

/** What of such knowledge anybody may know. */
export function openKnowledge(knows: Knowledge): 'nothing' | 'file' | { share: number } {
  return typeof knows === 'object' && 'file' in knows ? 'file' : knows;
}
