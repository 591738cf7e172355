import { type Command, Option } from 'commander';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { type BinaryScenario, binaryScenarioSchema, MOST_RECORDS } from '../../shared/contracts/results/differential-privacy.ts';
import { addedCount } from '../../shared/model/conjugate/added-count.ts';

/** What was typed for the scenarios of `dp`, and how it is shown. */
export interface PrivacyFlags {
  readonly p0: string;
  readonly epsilon: string;
  readonly n: string;
  readonly prior: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * Adds the flags of scenarios, whose defaults are those of McClure & Reiter (2012).
 *
 * @param p0 populations by default
 */
export function addPrivacyFlags(command: Command, p0: string): Command {
  return command
    .addOption(new Option('--p0 <list>', 'probability of the value 1 in the population, A,B').default(p0))
    .addOption(
      new Option('--epsilon <list>', 'epsilon of differential privacy for the whole dataset, in nats, A,B').default(
        '1000,100,10,2,0.2,0.01',
      ),
    )
    .addOption(new Option('--n <n>', 'records of the table and of the dataset').default('1000'))
    .addOption(new Option('--prior <w>', "the intruder's prior probability that a record has the value 1").default('0.5'))
    .option('--json', 'one JSON document on standard output')
    .option('--quiet', 'no progress');
}

/** What each field must be, with the code of its error. */
const EXPECTED = {
  p0: ['invalid-probability', '--p0: expected probabilities above 0 and below 1, such as 0.001,0.5'],
  epsilon: ['invalid-epsilon', '--epsilon: expected positive, finite numbers, such as 10,2,0.2'],
  n: ['invalid-records', `--n: expected a whole number from 1 to ${MOST_RECORDS}`],
  prior: ['invalid-prior', '--prior: expected a probability above 0 and below 1'],
} as const;

/** Reads decimal numbers between commas; what is none becomes NaN, which no field accepts. */
const numbers = (text: string) =>
  text.split(',').map((part) => (/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(part) ? Number(part) : NaN));

function checked(field: keyof typeof EXPECTED, text: string, most = Infinity): number[] {
  const values = numbers(text);
  const schema = binaryScenarioSchema.shape[field];
  if (values.length > most || !values.every((value) => schema.safeParse(value).success)) {
    const [code, message] = EXPECTED[field];
    throw new InvalidConfigError(code, `${message}.`);
  }
  if (new Set(values).size < values.length) throw new InvalidConfigError('repeated-value', `--${field}: a value is there twice.`);
  return values;
}

/**
 * Every population with every epsilon, as they were typed.
 *
 * @throws InvalidConfigError `invalid-probability`, `invalid-epsilon`, `invalid-records`, `invalid-prior`, `repeated-value`
 */
export function privacyScenarios(flags: PrivacyFlags): BinaryScenario[] {
  const epsilons = checked('epsilon', flags.epsilon);
  const [n] = checked('n', flags.n, 1);
  const [prior] = checked('prior', flags.prior, 1);
  for (const epsilon of epsilons) refuseUncounted(epsilon, n!);
  return checked('p0', flags.p0).flatMap((p0) => epsilons.map((epsilon) => ({ p0, epsilon, n: n!, prior: prior! })));
}

/** Refuses an epsilon for which no count can be added in double precision. */
function refuseUncounted(epsilon: number, n: number): void {
  try {
    addedCount(epsilon, n);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InvalidConfigError('invalid-epsilon', `--epsilon: ${error.message}.`);
  }
}
