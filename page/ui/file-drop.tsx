import type { ComponentChildren } from 'preact';
import type { NamedFile } from '../engine/questions.ts';
import { readFiles } from './files.ts';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly isBusy?: boolean;
  readonly onFiles: (files: readonly NamedFile[]) => void;
  readonly children?: ComponentChildren;
}

/** Where files are chosen or dropped. */
export function FileDrop({ id, label, isBusy = false, onFiles, children }: Props) {
  const take = async (files: Iterable<File>) => {
    const read = await readFiles(files);
    if (read.length > 0 && !isBusy) onFiles(read);
  };
  return (
    <section
      class="drop"
      aria-label={label}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take(event.dataTransfer?.files ?? []);
      }}
    >
      {children}
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        multiple
        disabled={isBusy}
        onChange={async ({ currentTarget }) => {
          await take(currentTarget.files ?? []);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <p class="quiet">Or drop the files here.</p>
    </section>
  );
}
