import {
  type ErrorReport,
  errorPlaces,
  ProgramError,
  SynthriskError,
} from '../../shared/contracts/errors.ts';

/**
 * What may be told of an error, outside of the bucket: a named error as it is; any other, which may quote the table,
 * as a mistake in the program of that name. Where that one happened goes to the log.
 */
export function reportError(error: unknown): ErrorReport {
  if (error instanceof SynthriskError) {
    return { name: error.name, code: error.code, message: error.message };
  }
  const { name, places } = errorPlaces(error);
  console.error(
    JSON.stringify({ level: 'error', mistake: name, places: places.map((place) => place.trim()) }),
  );
  return { name: ProgramError.name, code: 'mistake', message: `A mistake in synthrisk itself (${name}).` };
}
