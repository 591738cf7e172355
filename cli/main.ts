import { errorPlaces, SynthriskError } from '../shared/contracts/errors.ts';
import { synthriskProgram } from './program.ts';

const program = synthriskProgram((code) => {
  process.exitCode = code;
});

/** What the file system says of a full disk or a missing permission, also where a worker thread was told. */
const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && /^E[A-Z0-9]+: /.test(error.message);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof SynthriskError) {
    process.stderr.write(`${error.name} (${error.code}): ${error.message}\n`);
    process.exitCode = error.exitCode;
  } else if (isSystemError(error)) {
    process.stderr.write(`The run failed: ${error.message}\n`);
    process.exitCode = 3;
  } else {
    const { name, places } = errorPlaces(error);
    process.stderr.write(`This is a mistake in synthrisk itself (${name}):\n${places.join('\n')}\n`);
    process.exitCode = 3;
  }
}
