import { useState } from 'preact/hooks';
import type { NamedFile, Questions } from '../engine/questions.ts';
import { commandLine } from './command-words.ts';
import type { EngineClient } from './engine-client.ts';
import { FileDrop } from './file-drop.tsx';
import { Refused, SameCommand, type Turn, useWaiting } from './waiting.tsx';

/** How the files stand, in a heading. */
function standing({ approval }: Questions['verify']['answer']['release']): string {
  if (approval === null) return 'The files are those of the manifest. Nobody has approved them.';
  return approval.status === 'approved' ? 'The files are what was approved.' : 'The approval of these files was withdrawn.';
}

/** The files of a release, held to its manifest and to its approval. */
export function VerifyTask({ engine, turn }: { readonly engine: EngineClient; readonly turn: Turn }) {
  const [found, setFound] = useState<Questions['verify']['answer'] | null>(null);
  const { refusal, wait } = useWaiting(turn);
  function verify(files: readonly NamedFile[]): void {
    setFound(null);
    void wait('verify', engine.ask('verify', { files }), setFound);
  }
  return (
    <section aria-labelledby="verify-heading">
      <h2 id="verify-heading">Is a release what was approved?</h2>
      <p>
        The manifest has the digest of every file of a release, and the approval has the digest of the manifest. Whoever can change all of
        them can make them agree: compare the digest of the manifest with the one that you were sent another way.
      </p>
      <FileDrop
        id="release-files"
        label="A release as a ZIP file, or all of its files with manifest.json and APPROVED.json"
        isBusy={turn.busy !== null}
        onFiles={verify}
      />
      <Refused refusal={refusal} />
      <div aria-live="polite">
        {found && (
          <div class="verified">
            <p>
              <strong>{standing(found.release)}</strong>
            </p>
            <pre {...{ tabIndex: 0 }}>{found.lines.join('\n')}</pre>
          </div>
        )}
      </div>
      <SameCommand command={commandLine('release', found?.release.runId ?? 'RUN')} />
    </section>
  );
}
