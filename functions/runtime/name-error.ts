import { errorPlaces, ProgramError, SynthriskError } from '../../shared/contracts/errors.ts';

/**
 * What may be told of an error outside of the bucket: a named error as it is; for any other, which may quote the table,
 * a mistake in the program of that name. Where that one happened goes to the log.
 */
export function nameError(error: unknown): SynthriskError {
  if (error instanceof SynthriskError) return error;
  const { name, places } = errorPlaces(error);
  console.error(JSON.stringify({ level: 'error', mistake: name, places: places.map((place) => place.trim()) }));
  return new ProgramError('mistake', `A mistake in synthrisk itself (${name}).`);
}
