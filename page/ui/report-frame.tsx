import { useState } from 'preact/hooks';
import { save } from './files.ts';

interface Props {
  /** What the page is called, with a small letter. */
  readonly what: string;
  readonly page: string;
  readonly file: string;
}

/** A page of the library, to be looked at and saved. */
export function ReportFrame({ what, page, file }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="main" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        {isOpen ? `Close the ${what}` : `Open the ${what}`}
      </button>
      <button type="button" onClick={() => save(file, page, 'text/html')}>
        Save the {what}
      </button>
      {isOpen && <iframe title={`The ${what}`} sandbox="allow-scripts" srcdoc={page} />}
    </>
  );
}
