import {
  DeleteObjectsCommand,
  GetObjectRetentionCommand,
  ListObjectVersionsCommand,
  PutObjectTaggingCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { StorageError } from '../../shared/contracts/errors.ts';
import { APPROVED_TAG } from '../../shared/contracts/keys.ts';
import type { ReleaseGate } from '../../shared/pipeline/release/decide-release.ts';
import { CLIENT_TIMEOUTS } from '../../shared/storage/client-timeouts.ts';
import type { S3Location } from '../../shared/storage/s3-store.ts';
import type { ObjectVersion, Undeleted, VersionedObjects } from './purge-run.ts';

/** Tries of one request; the SDK waits between them. */
const TRIES = 8;

/** What S3 deletes with one request. */
const VERSIONS_AT_ONCE = 1000;

/** Sends a request; what S3 refuses becomes a StorageError. */
async function ask<Answer>(request: string, sent: Promise<Answer>): Promise<Answer> {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof Error && '$metadata' in error)) throw error;
    throw new StorageError(error.name, `S3 ${request}: ${error.name}`);
  }
}

/** Tags, versions and locks of the objects in a bucket: what only some people may ask for. */
export class BucketObjects implements ReleaseGate, VersionedObjects {
  readonly #bucket: string;
  readonly #s3: S3Client;

  constructor({ bucket, endpoint, region }: S3Location) {
    this.#bucket = bucket;
    const place = { ...(region && { region }), ...(endpoint && { endpoint, forcePathStyle: true }) };
    this.#s3 = new S3Client({ maxAttempts: TRIES, requestHandler: CLIENT_TIMEOUTS, ...place });
  }

  /** See `ReleaseGate`: the bucket lets readers of releases at what has the tag. */
  async open(key: string): Promise<void> {
    await this.#tag(key, [{ Key: APPROVED_TAG.key, Value: APPROVED_TAG.value }]);
  }

  /** See `ReleaseGate`. */
  async close(key: string): Promise<void> {
    await this.#tag(key, []);
  }

  async #tag(Key: string, TagSet: { Key: string; Value: string }[]): Promise<void> {
    const put = new PutObjectTaggingCommand({ Bucket: this.#bucket, Key, Tagging: { TagSet } });
    await ask(`tag ${Key}`, this.#s3.send(put));
  }

  /** See `VersionedObjects`. */
  async versions(prefix: string): Promise<ObjectVersion[]> {
    const found: ObjectVersion[] = [];
    let from: { KeyMarker?: string; VersionIdMarker?: string } = {};
    for (;;) {
      const list = new ListObjectVersionsCommand({ Bucket: this.#bucket, Prefix: prefix, ...from });
      const page = await ask(`list versions ${prefix}`, this.#s3.send(list));
      const { DeleteMarkers = [], IsTruncated, NextKeyMarker, NextVersionIdMarker, Versions = [] } = page;
      for (const [listed, isMarker] of [
        [Versions, false],
        [DeleteMarkers, true],
      ] as const) {
        for (const { IsLatest, Key, VersionId } of listed) {
          found.push({ key: Key!, version: VersionId!, isLatest: IsLatest === true, isMarker });
        }
      }
      if (!IsTruncated) return found;
      from = {
        ...(NextKeyMarker === undefined ? {} : { KeyMarker: NextKeyMarker }),
        ...(NextVersionIdMarker === undefined ? {} : { VersionIdMarker: NextVersionIdMarker }),
      };
    }
  }

  /** See `VersionedObjects`. */
  async delete(versions: readonly ObjectVersion[], bypass: boolean): Promise<Undeleted[]> {
    const left: Undeleted[] = [];
    for (let start = 0; start < versions.length; start += VERSIONS_AT_ONCE) {
      const Objects = versions.slice(start, start + VERSIONS_AT_ONCE).map(({ key, version }) => ({ Key: key, VersionId: version }));
      const request = new DeleteObjectsCommand({
        Bucket: this.#bucket,
        Delete: { Objects, Quiet: true },
        ...(bypass ? { BypassGovernanceRetention: true } : {}),
      });
      const { Errors = [] } = await ask('delete versions', this.#s3.send(request));
      left.push(...Errors.map(({ Code, Key, VersionId }) => ({ key: Key!, version: VersionId!, why: Code! })));
    }
    return left;
  }

  /** See `VersionedObjects`. */
  async lockedUntil({ key, version }: ObjectVersion): Promise<{ mode: string; until: Date } | null> {
    const get = new GetObjectRetentionCommand({ Bucket: this.#bucket, Key: key, VersionId: version });
    try {
      const { Retention } = await ask(`get retention ${key}`, this.#s3.send(get));
      const { Mode, RetainUntilDate } = Retention ?? {};
      return Mode && RetainUntilDate ? { mode: Mode, until: RetainUntilDate } : null;
    } catch (error) {
      // Of a bucket without locks, and of an object that has none.
      const unlocked = ['InvalidRequest', 'NoSuchObjectLockConfiguration', 'ObjectLockConfigurationNotFoundError'];
      if (error instanceof StorageError && unlocked.includes(error.code)) return null;
      throw error;
    }
  }
}
