import { useEffect, useState } from 'preact/hooks';
import type { Questions } from '../engine/questions.ts';
import type { EngineClient } from './engine-client.ts';
import { type Turn, useWaiting } from './waiting.tsx';

interface Props {
  readonly engine: EngineClient;
  readonly turn: Turn;
  readonly passphrase: string;
  readonly onPassphrase: (passphrase: string) => void;
  /** Hears which runs have gone. */
  readonly onCleared: (runIds: readonly string[]) => void;
}

/** Where a run is held: in memory, or encrypted among the private files of the browser, where it gives the page some. */
export function PrivateFiles({ engine, turn, passphrase, onPassphrase, onCleared }: Props) {
  const [kept, setKept] = useState<Questions['kept']['answer'] | undefined>(undefined);
  const { wait } = useWaiting(turn);
  const isBusy = turn.busy !== null;
  useEffect(() => {
    // Again after each run, which may have left something there.
    if (!isBusy) void engine.ask('kept', {}).then(setKept);
  }, [engine, isBusy]);
  if (kept === undefined) return null;
  if (kept === null) {
    return <p class="quiet">The run is held in memory. This browser gives a page from a disk no private files to keep it in.</p>;
  }
  return (
    <details open={kept.isKept}>
      <summary>Keep the run, to go on after the page was closed</summary>
      <label for="passphrase">Passphrase (without one, the run is held in memory alone)</label>
      <input
        id="passphrase"
        type="password"
        autocomplete="off"
        disabled={isBusy}
        value={passphrase}
        onInput={(event) => onPassphrase(event.currentTarget.value)}
      />
      <p class="quiet">
        The run is then kept on this disk, among the private files of the browser, and not in memory. It is encrypted by the passphrase. To
        go on, open the page again and choose the same table, settings and passphrase.
      </p>
      {kept.isKept && (
        <p>
          This browser has kept something.{' '}
          <button type="button" disabled={isBusy} onClick={() => wait('clear', engine.ask('clear', {}), onCleared)}>
            Clear what was kept
          </button>
        </p>
      )}
    </details>
  );
}
