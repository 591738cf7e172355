/** Version of the program: part of every run id, since another version may give other bytes. */
export const VERSION = '0.29.0';
