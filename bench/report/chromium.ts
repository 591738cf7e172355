/** Where Debian's package puts the browser. */
export const CHROMIUM = '/usr/bin/chromium';

/** Chromium's own sandbox needs a user who is not root. */
export const CHROMIUM_FLAGS = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
