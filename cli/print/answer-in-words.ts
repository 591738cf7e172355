/** What services answer to those who lack a right. */
const DENIED = /^(AccessDenied\w*|UnauthorizedOperation|Forbidden|403)$/;

/** Whether a service refused because whoever asked lacks the right. */
export const isDenied = (code: string): boolean => DENIED.test(code);

/** What a service or the network answers, in words. */
const ANSWERS: readonly (readonly [word: RegExp, words: string])[] = [
  [/^ECONNREFUSED$/, 'nothing answers at that address'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'there is no such address, or no network'],
  [/^(ECONNRESET|EPIPE|ETIMEDOUT|TimeoutError|RequestTimeout\w*)$/, 'no answer came in time'],
  [DENIED, 'access is denied'],
  [/^(ExpiredToken\w*|TokenRefreshRequired)$/, 'your session has expired: sign in again (aws sso login)'],
  [
    /^(InvalidClientTokenId|UnrecognizedClientException|InvalidAccessKeyId|SignatureDoesNotMatch)$/,
    'these credentials are not valid: sign in again (aws sso login)',
  ],
  [/^(ResourceNotFound\w*|NoSuch\w+|NotFound\w*|StateMachineDoesNotExist)$/, 'there is none'],
  [/^(Throttl\w+|TooManyRequests\w*|SlowDown)$/, 'too many requests at once: try again in a minute'],
  [/^(ServiceUnavailable\w*|Internal\w+|ServiceException)$/, 'the service has failed: try again in a minute'],
];

/** The message of a service's refusal with its word, which is the code of the error, in plain English. */
export function answerInWords({ code, message }: { code: string; message: string }): string {
  const words = ANSWERS.find(([word]) => word.test(code))?.[1];
  return words === undefined ? message : message.replace(new RegExp(`\\b${code}\\b( \\(\\d+\\))?`), words);
}
