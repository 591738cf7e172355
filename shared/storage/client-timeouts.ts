/** When a client of AWS gives a connection up and tries again: what is not made within seconds, or on which nothing has come for a minute. */
export const CLIENT_TIMEOUTS = { connectionTimeout: 5_000, socketTimeout: 60_000 };

/** The same where a call of a function is answered when the function has ended, which Lambda lets run for 15 minutes. */
export const CALL_TIMEOUTS = { ...CLIENT_TIMEOUTS, socketTimeout: 16 * 60_000 };
