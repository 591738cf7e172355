import { ArtifactError } from '../../shared/contracts/errors.ts';
import { type ByteRange, type Pieces, type Store, whole } from '../../shared/storage/store.ts';

/** What a store is asked over a port, and under which number the answer is expected. */
interface Question {
  readonly number: number;
  readonly verb: 'get' | 'put' | 'list' | 'head';
  readonly args: readonly unknown[];
}

/** What was asked for, or why there is none. */
type Answer = { readonly number: number } & ({ readonly value: unknown } | { readonly code: string; readonly message: string });

/** Answers for a store what a {@link RemoteStore} asks at the other end of a port. */
export function serveStore(store: Store, port: MessagePort): void {
  port.onmessage = async ({ data }: MessageEvent<Question>) => {
    const { number, verb, args } = data;
    const answer = (rest: object) => port.postMessage({ number, ...rest });
    try {
      const call = store[verb] as (...given: readonly unknown[]) => Promise<unknown>;
      answer({ value: await call.call(store, ...args) });
    } catch (error) {
      const { code = 'store-failed', message } = error as ArtifactError;
      answer({ code, message });
    }
  };
}

/** A store that another thread holds, reached by messages where no memory can be shared. */
export class RemoteStore implements Store {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  #asked = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<Answer>) => {
      const { resolve, reject } = this.#waiting.get(data.number)!;
      this.#waiting.delete(data.number);
      if ('value' in data) resolve(data.value as never);
      else reject(new ArtifactError(data.code, data.message));
    };
  }

  #ask<T>(verb: Question['verb'], ...args: readonly unknown[]): Promise<T> {
    const number = this.#asked++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#port.postMessage({ number, verb, args });
    });
  }

  /** See `Store`. */
  get(key: string, range?: ByteRange): Promise<Uint8Array> {
    return this.#ask('get', key, range);
  }

  /** See `Store`. */
  put(key: string, bytes: Uint8Array, options?: { readonly ifAbsent?: boolean }): Promise<'written' | 'present'> {
    return this.#ask('put', key, bytes, options);
  }

  /** See `Store`; the pieces go as one. */
  async putPieces(key: string, pieces: Pieces): Promise<void> {
    await this.put(key, await whole(pieces));
  }

  /** Only the thread that holds the store changes what is in it: tasks of a run store each object once. */
  change(key: string): Promise<void> {
    throw new RangeError(`${key} is changed where the store is`);
  }

  /** See `Store`. */
  list(prefix: string): Promise<string[]> {
    return this.#ask('list', prefix);
  }

  /** See `Store`. */
  head(key: string): Promise<{ bytes: number } | null> {
    return this.#ask('head', key);
  }
}
