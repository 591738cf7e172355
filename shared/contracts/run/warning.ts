import { z } from 'zod';

/** A condition that the reader of a run must know of. The code is stable; the message is for people. */
export const warningSchema = z.strictObject({ code: z.string(), message: z.string() });

/** A condition that the reader of a run must know of. */
export type Warning = z.infer<typeof warningSchema>;
