// Stands for the Node runtime of Lambda: loads the function's module and calls its handler for each line on standard
// input, `{"requestId", "functionArn", "payload"}`. Answers `{"payload", "failed"}` on the file descriptor whose number
// is the argument. What the function writes to its standard streams is its log.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const answers = Number(process.argv[2]);

/** An error as Lambda's runtime reports it, to the caller and to the log. */
function reported(error) {
  const { name = 'Error', message = String(error), stack = '' } = Object(error);
  return { errorType: name, errorMessage: message, trace: stack.split('\n') };
}

/** Writes the whole of a line: a pipe takes as much at once as fits. */
function answer(payload, failed) {
  let bytes = Buffer.from(`${JSON.stringify({ payload, failed })}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(answers, bytes));
}

const [file, name] = process.env._HANDLER.split('.');
const functionModule = import(pathToFileURL(join(process.cwd(), `${file}.mjs`)).href);

for await (const line of createInterface({ input: process.stdin })) {
  const { requestId, functionArn, payload } = JSON.parse(line);
  try {
    const handler = (await functionModule)[name];
    const result = await handler(JSON.parse(payload), { awsRequestId: requestId, invokedFunctionArn: functionArn });
    answer(JSON.stringify(result ?? null), false);
  } catch (error) {
    const report = reported(error);
    const { errorType, errorMessage, trace: stack } = report;
    console.error(`${requestId}\tERROR\tInvoke Error\t${JSON.stringify({ errorType, errorMessage, stack })}`);
    answer(JSON.stringify(report), true);
  }
}
