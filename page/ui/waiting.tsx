import { useState } from 'preact/hooks';
import type { Verb } from '../engine/questions.ts';
import { Refusal } from './engine-client.ts';

/** What a person is waiting for, wherever on the page. */
export type Busy = Verb | null;

/** One question at a time, whichever part of the page asks it. */
export interface Turn {
  readonly busy: Busy;
  readonly onBusy: (busy: Busy) => void;
}

/** Waits for answers, and keeps why there is none. */
export function useWaiting({ onBusy }: Turn) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  async function wait<T>(what: Verb, question: Promise<T>, use: (answer: T) => void): Promise<void> {
    onBusy(what);
    setRefusal(null);
    try {
      use(await question);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
    } finally {
      onBusy(null);
    }
  }
  return { refusal, wait };
}

/** Why something was not done. */
export function Refused({ refusal }: { readonly refusal: Refusal | null }) {
  if (refusal === null) return null;
  return (
    <div class="refusal" role="alert">
      <p>
        <strong>{refusal.code === 'ended' ? 'Ended.' : 'This cannot be done yet.'}</strong> {refusal.message}
      </p>
    </div>
  );
}

/** The command that does the same. */
export function SameCommand({ command }: { readonly command: string }) {
  return (
    <>
      <p>On the command line the same is:</p>
      <pre {...{ tabIndex: 0 }}>{command}</pre>
    </>
  );
}
