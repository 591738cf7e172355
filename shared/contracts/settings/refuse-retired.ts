import { InvalidConfigError } from '../errors.ts';
import { isSection, type Settings } from './settings.ts';

/** What to do where earlier versions had the candidates `search`. */
export const INSTEAD_OF_SEARCH =
  'The candidates `search` no longer exist: use `all-cells`, whose time `synthrisk plan` estimates, or name only the variables that the intruder does not know (attributeRisk.candidates: {unknown: [A, B]}, --unknown A,B), or merge categories until there are few enough cells for `all-cells`.';

/** The same of `synthesis.leaveOut`. */
const INSTEAD_OF_LEAVING_OUT =
  'synthesis.leaveOut no longer exists: delete those records from the file, evaluate what is left, and read its report beside that of the whole table.';

/**
 * Refuses settings that earlier versions had, each with what to do instead.
 *
 * @param given what the user has set, by section
 * @throws InvalidConfigError `retired-setting`
 */
export function refuseRetired({ synthesis, attributeRisk }: Settings): void {
  if (isSection(synthesis) && synthesis.leaveOut !== undefined) throw retired(INSTEAD_OF_LEAVING_OUT, 'synthesis.leaveOut');
  if (!isSection(attributeRisk)) return;
  const { scenarios } = attributeRisk;
  const asked = [attributeRisk, ...(Array.isArray(scenarios) ? scenarios.filter(isSection) : [])];
  const searches = ({ candidates }: Settings) => candidates === 'search' || (isSection(candidates) && candidates.search !== undefined);
  if (asked.some(searches)) throw retired(INSTEAD_OF_SEARCH, 'attributeRisk.candidates');
}

const retired = (message: string, field: string) => new InvalidConfigError('retired-setting', message, { field });
