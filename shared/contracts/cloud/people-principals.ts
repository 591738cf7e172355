import * as z from 'zod';
import { InvalidConfigError } from '../errors.ts';

/** The roles for people, each with the setting that names who may take it. */
export const PEOPLE = {
  Submitter: 'submitterArns',
  Operator: 'operatorArns',
  ConfidentialReader: 'confidentialReaderArns',
  ReleaseReader: 'releaseReaderArns',
  Approver: 'approverArns',
  Purger: 'purgerArns',
} as const;

/** A role for people. */
export type PersonRole = keyof typeof PEOPLE;

/** Roles that IAM Identity Center makes, whose names end in characters that change; nobody else can make one below this path. */
const IDENTITY_CENTER = /^arn:[\w-]+:iam::\d{12}:role\/aws-reserved\/sso\.amazonaws\.com\//;
const PRINCIPAL = /^arn:aws[a-z-]*:iam::\d{12}:(role|user)\/[\w+=.@/-]+$/;
const EXPECTED =
  'expected nobody, or ARNs of IAM roles or users; stars and question marks only in roles below role/aws-reserved/sso.amazonaws.com/ (IAM Identity Center)';

const principal = z.string().refine((arn) => PRINCIPAL.test(IDENTITY_CENTER.test(arn) ? arn.replaceAll(/[*?]/g, '') : arn), EXPECTED);
const several = z.array(principal).min(1);

/** Who may take a role: nobody, or a list of ARNs, also as the text with commas that `cdk -c name=value` hands over. */
export const principalsSchema = z.union(
  [
    z.literal('nobody'),
    several,
    z
      .string()
      .transform((text) => text.split(','))
      .pipe(several),
  ],
  EXPECTED,
);

/** Settings that say who may take which role. */
export type PeopleSettings = Readonly<
  Partial<Record<(typeof PEOPLE)[PersonRole] | 'peopleArns', readonly string[] | 'nobody' | undefined>>
>;

/** The principals that may take a role, by its own setting or that of all roles; none where no setting names any. */
export function principalsOf(settings: PeopleSettings, role: PersonRole): readonly string[] {
  const named = settings[PEOPLE[role]] ?? settings.peopleArns ?? 'nobody';
  return named === 'nobody' ? [] : named;
}

/** Whether a principal is a role of IAM Identity Center, whose sessions do not say whether they were opened with a second factor. */
export const isOfIdentityCenter = (arn: string): boolean => IDENTITY_CENTER.test(arn);

/** Whether a principal stands for several: a star for any characters, a question mark for one. */
export const isPattern = (arn: string): boolean => /[*?]/.test(arn);

/** Principals that two roles share, patterns among them. */
export function sharedPrincipals(settings: PeopleSettings, one: PersonRole, other: PersonRole): string[] {
  const covers = (pattern: string, arn: string) =>
    new RegExp(
      `^${pattern
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.')}$`,
    ).test(arn);
  const others = principalsOf(settings, other);
  return principalsOf(settings, one).filter((arn) => others.some((another) => covers(arn, another) || covers(another, arn)));
}

/**
 * Holds a deployment to say of each role who may take it.
 *
 * @throws InvalidConfigError `no-people` with what to write
 */
export function requirePeople(settings: PeopleSettings): void {
  const open = Object.entries(PEOPLE).filter(([, setting]) => settings[setting] === undefined && settings.peopleArns === undefined);
  if (open.length === 0) return;
  const lines = open.map(([, setting]) => `${setting}: [arn:aws:iam::111122223333:role/NAME]`);
  throw new InvalidConfigError(
    'no-people',
    `Nothing says who may take ${open.map(([role]) => role).join(', ')}. Earlier versions let in whoever the account lets assume roles. Write into the settings file:\n  ${lines.join('\n  ')}\nwith the roles of your people (of IAM Identity Center: arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/*AWSReservedSSO_NAME_????????????????), or nobody for a role that nobody takes. For a trial, peopleArns names who may take every role.`,
  );
}
