import '../engine/no-code-from-text.ts';
import { render } from 'preact';
import { App } from './app.tsx';
import { EngineClient } from './engine-client.ts';

/** What a browser has to have, by what a person could call it. */
const NEEDED: Readonly<Record<string, boolean>> = {
  'threads (Web Workers)': typeof Worker === 'function',
  WebAssembly: typeof WebAssembly === 'object',
  'cryptography (Web Crypto)': globalThis.crypto?.subtle !== undefined,
};

const root = document.getElementById('app')!;
const missing = Object.entries(NEEDED).filter(([, isThere]) => !isThere);
if (missing.length > 0) {
  root.textContent = `This browser lacks ${missing.map(([name]) => name).join(', ')}. A current Chromium, Firefox, Edge or Safari has all of it; the command line needs no browser.`;
} else {
  render(<App engine={new EngineClient(document.getElementById('engine')!.textContent!)} />, root);
}
