import { Readable } from 'node:stream';
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { PARTS_AT_ONCE } from '../contracts/cloud/cloud-environment.ts';
import { StorageError } from '../contracts/errors.ts';
import { isResult, type ObjectTag, tagOf } from '../contracts/keys.ts';
import type { RequestCount } from '../contracts/run/usage.ts';
import { CLIENT_TIMEOUTS } from './client-timeouts.ts';
import { assertByteRange, assertStoreKey, type ByteRange, notFound, type Pieces, type Store } from './store.ts';

/** Where a bucket is. What is left out, and the credentials, the SDK finds in the environment. */
export interface S3Location {
  readonly bucket: string;
  readonly region?: string;
  /** Address of an emulator, in place of that of AWS. */
  readonly endpoint?: string;
  /**
   * Whether an object is there is looked up in a list of its key alone: for those who may list some keys and not the
   * bucket. A question for an object names no prefix, so that S3 tells them of a missing one that it is forbidden.
   */
  readonly headsByList?: boolean;
  /** Results are locked as they are written, where the bucket has Object Lock. */
  readonly lock?: ResultLock;
}

/** How long a version of a result can neither be deleted nor replaced, and whether somebody may lift that. */
export interface ResultLock {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE';
  readonly days: number;
}

/** What is stated of each try of a request: the price that it has. */
type OnRequest = (kind: keyof RequestCount) => void;

/** Requests that S3 counts as reads; lists cost what writes do. */
const READS: ReadonlySet<string> = new Set(['GetObjectCommand', 'HeadObjectCommand']);

/** Tries of one request. The SDK waits between them: full jitter, doubling, 20 s at most. */
const TRIES = 8;

/** Parts of an object that is put in pieces: how large, and how many are under way at once. S3 has 10,000 of them at most. */
const PART_BYTES = 16 * 1024 * 1024;
const PUT_PARTS_AT_ONCE = 2;

const MILLISECONDS_A_DAY = 24 * 60 * 60 * 1000;

/** Metadata of an object that was changed: a number drawn for the change, which says nothing else. */
const MARK = 'change';

/** An error as the SDK throws it: named by the service, with the status of its answer if there was one. */
interface ServiceError extends Error {
  readonly $metadata: { readonly httpStatusCode?: number };
}

const isServiceError = (error: unknown): error is ServiceError => error instanceof Error && '$metadata' in error;

const hasStatus = (error: unknown, status: number): error is ServiceError =>
  isServiceError(error) && error.$metadata.httpStatusCode === status;

/** An array with a buffer of its own: one that Node made may be a slice of its pool. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  const whole = bytes.byteLength === bytes.buffer.byteLength;
  return whole ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}

/** A client that tries again what the SDK alone does not: conflicts, and objects that break off half way. */
function retryingClient({ region, endpoint }: S3Location, onRequest: OnRequest): S3Client {
  const client = new S3Client({
    maxAttempts: TRIES,
    retryMode: 'standard',
    // A CRC-32 goes with every object, S3 refuses bytes that differ from it, and whole objects are compared with it when they
    // are read. Written out, since a variable or a profile of whoever starts the program could turn it off.
    requestChecksumCalculation: 'WHEN_SUPPORTED',
    responseChecksumValidation: 'WHEN_SUPPORTED',
    requestHandler: {
      ...CLIENT_TIMEOUTS,
      // The default of the SDK, 50, would keep some of those that are wanted at once waiting.
      httpAgent: { maxSockets: PARTS_AT_ONCE },
      httpsAgent: { maxSockets: PARTS_AT_ONCE },
    },
    ...(region === undefined ? {} : { region }),
    // An emulator has no host name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
  const retryable = (error: unknown) => Object.assign(error as Error, { $retryable: {} });
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (request) => {
        onRequest(READS.has(commandName) ? 'reads' : 'writes');
        const result = await next(request).catch((error) => {
          throw hasStatus(error, 409) ? retryable(error) : error;
        });
        const output = result.output as { Body?: GetObjectCommandOutput['Body'] | Uint8Array };
        if (output.Body && 'transformToByteArray' in output.Body) {
          output.Body = await output.Body.transformToByteArray().catch((error) => {
            throw retryable(error);
          });
        }
        return result;
      },
    // Inside of the SDK's own middleware that retries, which has the priority `high`.
    { step: 'finalizeRequest', priority: 'low', name: 'retryMore' },
  );
  return client;
}

/**
 * A store in an S3 bucket, under the same keys, encrypted as the bucket does by default. What can go when a run has finished
 * (`isIntermediate`) and the table of a run carry tags that say so. One object holds 5 GB at most, the limit of a single put, or
 * 160 GB where it is put in pieces.
 *
 * Requests are tried again with jitter when the service throttles or fails, when a connection breaks in the middle of an object, when an
 * object differs from the checksum that S3 has of it, and on the conflict (409) of conditional writes at once. A writer with `ifAbsent`
 * whose first answer was lost hears `present` of its own object. The role needs `s3:ListBucket` on the bucket: without it S3 answers that
 * an absent object is forbidden, unless `headsByList` looks for it by its key.
 *
 * @throws StorageError when a request fails for good; the code is the service's word, as `AccessDenied`
 */
export class S3Store implements Store {
  readonly #bucket: string;
  readonly #client: S3Client;
  readonly #headsByList: boolean;
  readonly #lock: ResultLock | null;

  /**
   * Connects with the first request.
   *
   * @param onRequest is called with each try of a request
   */
  constructor(location: S3Location, onRequest: OnRequest = () => undefined) {
    this.#bucket = location.bucket;
    this.#headsByList = location.headsByList ?? false;
    this.#lock = location.lock ?? null;
    this.#client = retryingClient(location, onRequest);
  }

  /** See `Store`. */
  async get(key: string, range?: ByteRange): Promise<Uint8Array> {
    assertStoreKey(key);
    if (range !== undefined) assertByteRange(range);
    if (range !== undefined && range.start === range.end) {
      // HTTP has no empty ranges.
      if ((await this.head(key)) === null) throw notFound(key);
      return new Uint8Array(0);
    }
    const object = { Bucket: this.#bucket, Key: key };
    const Range = range && `bytes=${range.start}-${range.end - 1}`;
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(Range ? { ...object, Range } : object));
      return ownBytes(Body as unknown as Uint8Array);
    } catch (error) {
      // The range begins where the object ends, or after.
      if (range !== undefined && hasStatus(error, 416)) return new Uint8Array(0);
      if (isServiceError(error) && error.name === 'NoSuchKey') throw notFound(key);
      throw failure('get', key, error);
    }
  }

  /** See `Store`, and above for a lost answer. */
  async put(key: string, bytes: Uint8Array, options: { readonly ifAbsent?: boolean } = {}) {
    assertStoreKey(key);
    try {
      await this.#send(key, bytes, options.ifAbsent ? { IfNoneMatch: '*' } : {});
      return 'written';
    } catch (error) {
      if (options.ifAbsent && hasStatus(error, 412)) return 'present';
      throw failure('put', key, error);
    }
  }

  /**
   * See `Store`. Pieces that come to more than {@link PART_BYTES} are uploaded in parts. What a failure leaves of these nobody can
   * read, and the bucket removes it after a day: no role may do it.
   */
  async putPieces(key: string, pieces: Pieces): Promise<void> {
    assertStoreKey(key);
    const upload = new Upload({
      client: this.#client,
      params: { Bucket: this.#bucket, Key: key, Body: Readable.from(pieces), ...taggingOf(tagOf(key)), ...this.#lockOf(key) },
      partSize: PART_BYTES,
      queueSize: PUT_PARTS_AT_ONCE,
      leavePartsOnError: true,
    });
    try {
      await upload.done();
    } catch (error) {
      throw failure('put', key, error);
    }
  }

  /** See `Store`: each try goes by the ETag of what it read. What it puts has a mark of its own, by which it knows a try whose answer was lost. */
  async change(key: string, make: (bytes: Uint8Array | null) => Uint8Array | null): Promise<void> {
    assertStoreKey(key);
    const mark = globalThis.crypto.randomUUID();
    for (;;) {
      const found = await this.#read(key);
      if (found?.mark === mark) return;
      const made = make(found?.bytes ?? null);
      if (made === null) return;
      try {
        await this.#send(key, made, { Metadata: { [MARK]: mark }, ...(found === null ? { IfNoneMatch: '*' } : { IfMatch: found.etag }) });
        return;
      } catch (error) {
        // Somebody else was faster, or has deleted it.
        if (!hasStatus(error, 412) && !hasStatus(error, 404)) throw failure('change', key, error);
      }
    }
  }

  /** An object with the ETag by which it is put in place of, and the mark of who put it; null where there is none. */
  async #read(key: string): Promise<{ readonly bytes: Uint8Array; readonly etag: string; readonly mark: string | undefined } | null> {
    if (this.#headsByList && (await this.#find(key)) === null) return null;
    try {
      const { Body, ETag, Metadata } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return { bytes: ownBytes(Body as unknown as Uint8Array), etag: ETag!, mark: Metadata?.[MARK] };
    } catch (error) {
      if (isServiceError(error) && error.name === 'NoSuchKey') return null;
      throw failure('get', key, error);
    }
  }

  #send(key: string, Body: Uint8Array, condition: Pick<PutObjectCommandInput, 'IfMatch' | 'IfNoneMatch' | 'Metadata'>) {
    const object = { Bucket: this.#bucket, Key: key, Body };
    return this.#client.send(new PutObjectCommand({ ...object, ...condition, ...taggingOf(tagOf(key)), ...this.#lockOf(key) }));
  }

  /**
   * The bytes of a version of an object, and when it was put, in whole seconds.
   *
   * @throws ArtifactError `artifact-not-found` when there is no such version, or it was deleted
   */
  async getVersion(key: string, version: string): Promise<{ readonly bytes: Uint8Array; readonly put: Date }> {
    assertStoreKey(key);
    try {
      const get = new GetObjectCommand({ Bucket: this.#bucket, Key: key, VersionId: version });
      const { Body, LastModified } = await this.#client.send(get);
      return { bytes: ownBytes(Body as unknown as Uint8Array), put: LastModified! };
    } catch (error) {
      if (isServiceError(error) && ['NoSuchKey', 'NoSuchVersion'].includes(error.name)) throw notFound(key);
      throw failure('get', key, error);
    }
  }

  /** See `Store`. */
  async list(prefix: string): Promise<string[]> {
    // S3 sorts by the bytes of UTF-8.
    return [...(await this.listPut(prefix)).keys()].sort();
  }

  /** Every key that begins with these characters, with when its object was put, in whole seconds. */
  async listPut(prefix: string): Promise<Map<string, Date>> {
    const found = new Map<string, Date>();
    let page: Pick<ListObjectsV2CommandOutput, 'Contents' | 'NextContinuationToken'> | undefined;
    do {
      const token = page?.NextContinuationToken;
      try {
        page = await this.#client.send(
          new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ...(token ? { ContinuationToken: token } : {}) }),
        );
      } catch (error) {
        throw failure('list', prefix, error);
      }
      for (const { Key, LastModified } of page.Contents ?? []) found.set(Key!, LastModified!);
    } while (page.NextContinuationToken);
    return found;
  }

  /** See `Store`. */
  async head(key: string): Promise<{ bytes: number } | null> {
    assertStoreKey(key);
    if (this.#headsByList) return this.#find(key);
    try {
      const { ContentLength } = await this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key }));
      return { bytes: ContentLength! };
    } catch (error) {
      if (hasStatus(error, 404)) return null;
      throw failure('head', key, error);
    }
  }

  /** The lock of a result, from now on. */
  #lockOf(key: string) {
    if (this.#lock === null || !isResult(key)) return {};
    const { days, mode } = this.#lock;
    return { ObjectLockMode: mode, ObjectLockRetainUntilDate: new Date(Date.now() + days * MILLISECONDS_A_DAY) };
  }

  /** Of all keys that begin with a key, the key itself comes first. */
  async #find(key: string): Promise<{ bytes: number } | null> {
    try {
      const { Contents: [first] = [] } = await this.#client.send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: key, MaxKeys: 1 }),
      );
      return first?.Key === key ? { bytes: first.Size! } : null;
    } catch (error) {
      throw failure('list', key, error);
    }
  }
}

const taggingOf = (tag: ObjectTag | null) => (tag === null ? {} : { Tagging: `${tag.key}=${tag.value}` });

/** The named error for one of the SDK; any other is a mistake in the program, and stays as it is. */
function failure(verb: keyof Store, key: string, error: unknown): unknown {
  if (!isServiceError(error)) return error;
  // Where no answer came, the system has the word: `ECONNREFUSED`.
  const word = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const status = error.$metadata.httpStatusCode;
  return new StorageError(word, `S3 ${verb} ${key}: ${word}${status ? ` (${status})` : ''}`);
}
