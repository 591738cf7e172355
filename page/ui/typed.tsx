import { useState } from 'preact/hooks';

interface Props {
  readonly as?: 'input' | 'textarea';
  readonly id?: string;
  readonly class?: string;
  readonly type?: 'number';
  readonly min?: number;
  readonly max?: number;
  readonly placeholder?: string;
  readonly spellcheck?: boolean;
  readonly disabled: boolean;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string;
  /** What it shows while nobody types. */
  readonly value: string;
  /** Hears what was typed when that is done. */
  readonly onType: (text: string) => void;
}

/** A field whose text stays while it is typed, whatever else of the page arrives meanwhile. */
export function Typed({ as: Field = 'input', value, onType, ...others }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <Field
      {...others}
      value={draft ?? value}
      onInput={(event: { readonly currentTarget: { readonly value: string } }) => setDraft(event.currentTarget.value)}
      onChange={(event: { readonly currentTarget: { readonly value: string } }) => {
        setDraft(null);
        onType(event.currentTarget.value);
      }}
    />
  );
}
