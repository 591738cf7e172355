import * as z from 'zod';
import { codeDigestSchema, environmentSizeSchema } from '../../shared/contracts/cloud/cloud-environment.ts';
import { parseJson } from '../../shared/contracts/cloud/workflow.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import type { S3Location } from '../../shared/storage/s3-store.ts';

/** What a function finds in its environment. Everything else it needs is in its input, or in the bucket. */
const environmentSchema = z
  .object({
    BUCKET: z.string().min(1),
    /** Set for emulators, as the AWS SDK reads it. */
    AWS_ENDPOINT_URL_S3: z.string().min(1).optional(),
    AWS_ENDPOINT_URL: z.string().min(1).optional(),
    /** The size of the environment, as JSON. */
    ENVIRONMENT_SIZE: z.string().transform(parseJson).pipe(environmentSizeSchema),
    /** How results are locked, as JSON; absent where they are not. */
    RESULT_LOCK: z
      .string()
      .transform(parseJson)
      .pipe(z.strictObject({ mode: z.enum(['GOVERNANCE', 'COMPLIANCE']), days: z.int().positive() }))
      .optional(),
    /** Digest of the code of all steps that were deployed together. */
    CODE: codeDigestSchema,
    /** Memory for what every batch reads, and is kept between calls. */
    INPUTS_CACHE_MIB: z.coerce.number().nonnegative().default(0),
  })
  .transform((variables) => {
    const endpoint = variables.AWS_ENDPOINT_URL_S3 ?? variables.AWS_ENDPOINT_URL;
    return {
      location: {
        bucket: variables.BUCKET,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(variables.RESULT_LOCK === undefined ? {} : { lock: variables.RESULT_LOCK }),
      } satisfies S3Location,
      size: variables.ENVIRONMENT_SIZE,
      code: variables.CODE,
      inputsCacheBytes: variables.INPUTS_CACHE_MIB * 1024 * 1024,
    };
  });

/** The environment of a function. */
export type Environment = z.output<typeof environmentSchema>;

/**
 * Reads what a schema asks for from the environment.
 *
 * @throws InvalidConfigError naming each variable that is missing or malformed
 */
export function parseEnvironment<T extends z.ZodType>(schema: T): z.output<T> {
  const parsed = schema.safeParse(process.env);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new InvalidConfigError('malformed-environment', `Missing or malformed variables: ${names.join(', ')}.`);
}

/** Reads what every function needs from the environment; throws as {@link parseEnvironment}. */
export const readEnvironment = (): Environment => parseEnvironment(environmentSchema);
