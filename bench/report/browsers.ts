import { chromium, firefox } from 'playwright-core';

/** Where Debian's packages put the browsers. */
export const CHROMIUM = '/usr/bin/chromium';
export const FIREFOX = '/usr/bin/firefox-esr';

/** Chromium's own sandbox needs a user who is not root. */
export const CHROMIUM_FLAGS = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** How each browser is started. Firefox is Debian's own, which Playwright drives without a build of its own. */
export const LAUNCH = {
  chromium: () => chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS }),
  firefox: (downloadsPath: string) =>
    firefox.launch({
      executablePath: FIREFOX,
      channel: 'moz-firefox',
      downloadsPath,
      // The panel of downloads takes the focus, and the page hears of no change any more.
      firefoxUserPrefs: { 'browser.download.alwaysOpenPanel': false },
    }),
};
