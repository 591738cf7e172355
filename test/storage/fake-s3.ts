import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from '../../shared/arrays/crc32.ts';
import { FakeKms } from './fake-kms.ts';

/** An object as S3 keeps it. */
interface StoredObject {
  readonly bytes: Buffer;
  readonly tagging: string | undefined;
  /** The CRC-32 that its writer sent along. */
  readonly checksum: string | undefined;
  /** The metadata of its writer, as headers. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Stands for its ETag as well, which in S3 is another text. */
  readonly version: string;
  readonly modified: Date;
}

/** What goes wrong with requests of a method: a status with S3's word for it, or a body that breaks off half way or loses a bit. */
export type Fault =
  | { readonly method: string; readonly status: number; readonly code: string; readonly stored?: boolean }
  | { readonly method: string; readonly breaksOff: true }
  | { readonly method: string; readonly losesBit: true };

/** One request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly key: string;
  /** Of a list. */
  readonly prefix: string | null;
  readonly headers: IncomingMessage['headers'];
  /** Of what is neither an object nor a list of keys. */
  readonly way?: 'tagging' | 'versions' | 'delete';
  /** Keys that are to be deleted. */
  readonly deleted?: readonly string[];
  /** Tags of the object that is there. */
  readonly tagging?: string | undefined;
  /** Of a request for one version. */
  readonly version?: string;
}

const WAYS = ['tagging', 'versions', 'delete'] as const;

const unescapeXml = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })[name as string]!);

/** The texts of the elements of a name, in order. */
const elements = (name: string, xml: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => unescapeXml(text!));

/** Whether a request is forbidden, for an object that is there or not. */
export type Forbids = (request: SeenRequest, isThere: boolean) => boolean;

/** A CRC-32 as S3 writes it: base64 of its four bytes, most significant first. */
function checksumOf(bytes: Uint8Array): string {
  const four = Buffer.alloc(4);
  four.writeUInt32BE(crc32(bytes));
  return four.toString('base64');
}

const escapeXml = (text: string) => text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character]!);

/**
 * As much of S3 as this program speaks to, over HTTP on this machine: objects in buckets named in the path, ranges,
 * conditional puts, uploads in parts, lists in pages, tags, and one version of each object. At the same address KMS signs. Nothing is checked that a caller does not need: neither signatures nor
 * whether a bucket exists.
 */
export class FakeS3 {
  readonly #server: Server;
  readonly #objects = new Map<string, StoredObject>();
  /** Uploads in parts that are under way: the request that began each, and its parts by number. */
  readonly #uploads = new Map<string, { readonly request: IncomingMessage; readonly parts: Buffer[] }>();
  /** What was put, by path and version. */
  readonly #versions = new Map<string, StoredObject>();
  readonly #faults: Fault[] = [];
  /** The clock of the server. */
  now = () => new Date();
  /** The key that signs at the same address. */
  readonly kms = new FakeKms();
  /** Every request, in order. */
  readonly requests: SeenRequest[] = [];
  /** Most keys in a page of a list, as S3 has it. */
  pageSize = 1000;

  private constructor() {
    // Connections stay open: one that is closed while a request is on its way costs another try, which is counted.
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => void this.answer(request, response));
  }

  /** Starts a server on a free port. */
  static async start(): Promise<FakeS3> {
    const fake = new FakeS3();
    await new Promise<void>((done) => fake.#server.listen(0, '127.0.0.1', done));
    return fake;
  }

  /** Ends the server and every connection. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Address to give a client. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Lets the next request of the fault's method go wrong; several faults are met one after the other. */
  fail(...faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  /** Tags of an object as they were put, or undefined. */
  tagging(bucket: string, key: string): string | undefined {
    return this.#objects.get(`${bucket}/${key}`)?.tagging;
  }

  /** Answers a request, also one that came to another server. */
  async answer(request: IncomingMessage, response: ServerResponse, forbids: Forbids = () => false): Promise<void> {
    const url = new URL(request.url!, 'http://localhost');
    const path = decodeURIComponent(url.pathname.slice(1));
    const [bucket] = path.split('/', 1) as [string];
    const method = request.method!;
    const key = path.slice(bucket.length + 1);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = () => Buffer.concat(chunks).toString();
    const target = request.headers['x-amz-target']?.toString();
    if (target !== undefined) {
      this.#askKms(response, target, text());
      return;
    }
    const way = WAYS.find((name) => url.searchParams.has(name));
    const version = url.searchParams.get('versionId');
    const seen: SeenRequest = {
      ...(version === null ? {} : { version }),
      ...{ method, key, prefix: url.searchParams.get('prefix'), headers: request.headers },
      ...(way ? { way } : {}),
      ...(way === 'delete' ? { deleted: elements('Key', text()) } : {}),
      tagging: this.#objects.get(path)?.tagging,
    };
    this.requests.push(seen);
    if (forbids(seen, this.#objects.has(path))) {
      this.#refuse(response, method, 403, 'AccessDenied');
      return;
    }

    const fault = this.#takeFault(method);
    if (fault && 'status' in fault) {
      if (fault.stored && this.#refusalOfPut(path, request) === null) this.#put(path, request, Buffer.concat(chunks));
      this.#refuse(response, method, fault.status, fault.code);
    } else if (way === 'tagging') {
      const [keys, values] = [elements('Key', text()), elements('Value', text())];
      const tagging = keys.map((name, i) => `${name}=${values[i]}`).join('&');
      const object = this.#objects.get(path);
      if (object === undefined) this.#refuse(response, method, 404, 'NoSuchKey');
      else {
        this.#objects.set(path, { ...object, tagging });
        response.end();
      }
    } else if (way === 'versions') {
      this.#listVersions(response, bucket, url.searchParams.get('prefix') ?? '');
    } else if (way === 'delete') {
      for (const gone of seen.deleted!) this.#objects.delete(`${bucket}/${gone}`);
      response.setHeader('content-type', 'application/xml');
      response.end('<?xml version="1.0" encoding="UTF-8"?><DeleteResult></DeleteResult>');
    } else if (url.searchParams.has('uploads') || url.searchParams.has('uploadId')) {
      this.#upload(request, response, path, { query: url.searchParams, bytes: Buffer.concat(chunks) });
    } else if (method === 'PUT') {
      const refused = this.#refusalOfPut(path, request);
      if (refused !== null) {
        this.#refuse(response, method, ...refused);
        return;
      }
      const bytes = Buffer.concat(chunks);
      if (fault && 'losesBit' in fault) bytes[0]! ^= 1;
      const sent = request.headers['x-amz-checksum-crc32']?.toString();
      if (sent !== undefined && sent !== checksumOf(bytes)) {
        this.#refuse(response, method, 400, 'BadDigest');
        return;
      }
      response.setHeader('x-amz-version-id', this.#put(path, request, bytes));
      response.end();
    } else if (url.searchParams.get('list-type') === '2') {
      this.#list(response, bucket, url.searchParams);
    } else {
      const object = version === null ? this.#objects.get(path) : this.#versions.get(`${path}?${version}`);
      this.#get(request, response, object, fault);
    }
  }

  /** What a conditional put is refused with; null where its condition holds. */
  #refusalOfPut(path: string, { headers }: IncomingMessage): [status: number, code: string] | null {
    const present = this.#objects.get(path);
    if (headers['if-none-match'] === '*' && present !== undefined) return [412, 'PreconditionFailed'];
    const expected = headers['if-match']?.toString();
    if (expected === undefined || expected === `"${present?.version}"`) return null;
    return present ? [412, 'PreconditionFailed'] : [404, 'NoSuchKey'];
  }

  /** An upload in parts: it is begun, gets its parts, and is put together by their numbers. */
  #upload(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    { query, bytes }: { readonly query: URLSearchParams; readonly bytes: Buffer },
  ): void {
    const id = query.get('uploadId') ?? `upload-${this.#uploads.size + 1}`;
    if (query.has('uploads')) {
      this.#uploads.set(id, { request, parts: [] });
      response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
      return;
    }
    const upload = this.#uploads.get(id)!;
    if (request.method === 'PUT') {
      upload.parts[Number(query.get('partNumber')) - 1] = bytes;
      response.setHeader('etag', `"${query.get('partNumber')}"`).end();
      return;
    }
    const numbers = elements('PartNumber', bytes.toString()).map(Number);
    this.#put(path, upload.request, Buffer.concat(numbers.map((number) => upload.parts[number - 1]!)));
    response.end('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
  }

  #askKms(response: ServerResponse, target: string, text: string): void {
    const answer = this.kms.answer(target.split('.')[1]!, JSON.parse(text));
    response.writeHead('__type' in answer ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answer));
  }

  #listVersions(response: ServerResponse, bucket: string, prefix: string): void {
    const keys = [...this.#objects.keys()].filter((path) => path.startsWith(`${bucket}/${prefix}`)).sort();
    const versions = keys.map(
      (path) =>
        `<Version><Key>${escapeXml(path.slice(bucket.length + 1))}</Key><VersionId>null</VersionId><IsLatest>true</IsLatest></Version>`,
    );
    response.setHeader('content-type', 'application/xml');
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?><ListVersionsResult><IsTruncated>false</IsTruncated>${versions.join('')}</ListVersionsResult>`,
    );
  }

  #takeFault(method: string): Fault | undefined {
    const index = this.#faults.findIndex((fault) => fault.method === method);
    return index < 0 ? undefined : this.#faults.splice(index, 1)[0];
  }

  #put(path: string, request: IncomingMessage, bytes: Buffer): string {
    const header = (name: string) => request.headers[name]?.toString();
    const version = `version-${this.#versions.size + 1}`;
    // S3 tells whole seconds.
    const modified = new Date(Math.floor(this.now().getTime() / 1000) * 1000);
    const metadata = Object.fromEntries(
      Object.entries(request.headers).flatMap(([name, value]) => (name.startsWith('x-amz-meta-') ? [[name, String(value)]] : [])),
    );
    const object = { bytes, tagging: header('x-amz-tagging'), checksum: header('x-amz-checksum-crc32'), metadata, version, modified };
    this.#objects.set(path, object);
    this.#versions.set(`${path}?${version}`, object);
    return version;
  }

  /** The version of an object that was put last. */
  versionOf(bucket: string, key: string): string | undefined {
    return this.#objects.get(`${bucket}/${key}`)?.version;
  }

  #get(request: IncomingMessage, response: ServerResponse, object: StoredObject | undefined, fault?: Fault): void {
    const method = request.method!;
    if (object === undefined) {
      this.#refuse(response, method, 404, 'NoSuchKey');
      return;
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const start = Number(range?.[1] ?? 0);
    if (range && start >= object.bytes.length) {
      this.#refuse(response, method, 416, 'InvalidRange');
      return;
    }
    const bytes = Buffer.from(object.bytes.subarray(start, Number(range?.[2] ?? object.bytes.length - 1) + 1));
    if (fault && 'losesBit' in fault) bytes[0]! ^= 1;
    // Of a part of an object S3 has no checksum.
    const tells = !range && request.headers['x-amz-checksum-mode'] === 'ENABLED' && object.checksum;
    const written = { etag: `"${object.version}"`, 'x-amz-version-id': object.version, 'last-modified': object.modified.toUTCString() };
    response.writeHead(range ? 206 : 200, {
      ...written,
      ...object.metadata,
      'content-length': bytes.length,
      ...(tells ? { 'x-amz-checksum-crc32': tells } : {}),
    });
    if (method === 'HEAD') response.end();
    else if (fault && 'breaksOff' in fault) response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    else response.end(bytes);
  }

  #list(response: ServerResponse, bucket: string, query: URLSearchParams): void {
    const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
    const after = query.get('continuation-token') ?? '';
    const keys = [...this.#objects.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(bucket.length + 1))
      // The order of S3: by the bytes of UTF-8.
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .filter((key) => after === '' || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0);
    const page = keys.slice(0, Math.min(this.pageSize, Number(query.get('max-keys') ?? this.pageSize)));
    const next = page.length < keys.length ? escapeXml(page.at(-1)!) : null;
    const contents = page
      .map((key) => {
        const { bytes, modified } = this.#objects.get(`${bucket}/${key}`)!;
        const written = `<LastModified>${modified.toISOString()}</LastModified>`;
        return `<Contents><Key>${escapeXml(key)}</Key>${written}<Size>${bytes.length}</Size></Contents>`;
      })
      .join('');
    response.setHeader('content-type', 'application/xml');
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${next !== null}</IsTruncated>${
        next === null ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`
      }${contents}</ListBucketResult>`,
    );
  }

  #refuse(response: ServerResponse, method: string, status: number, code: string): void {
    response.writeHead(status, { 'content-type': 'application/xml' });
    // What S3 says in words may name what is in the object: callers must not pass it on.
    const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>in words</Message></Error>`;
    response.end(method === 'HEAD' ? undefined : body);
  }
}
