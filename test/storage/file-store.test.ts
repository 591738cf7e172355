import { promises as fs } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileStore } from '../../shared/storage/file-store.ts';
import { storeSuite } from './store-suite.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

let directory: string;

beforeEach(async () => {
  directory = await fs.mkdtemp(join(tmpdir(), 'synthrisk-file-store-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await fs.rm(directory, { recursive: true });
});

storeSuite('FileStore', () => new FileStore(directory));
storeSuite('FileStore of one run', () => new FileStore(join(directory, 'out'), 'runs/r1/'));

describe('FileStore', () => {
  it('puts an object below its folder, without the key prefix', async () => {
    const store = new FileStore(join(directory, 'out'), 'runs/r1/');
    await store.put('runs/r1/confidential/summary.json', bytesOf('{}'));
    expect(await fs.readFile(join(directory, 'out/confidential/summary.json'), 'utf8')).toBe('{}');
  });

  it('makes folders and files that only their owner can read', async () => {
    const store = new FileStore(join(directory, 'out'));
    await store.put('confidential/summary.json', bytesOf('{}'));
    await store.put('confidential/part', bytesOf('{}'), { ifAbsent: true });
    const mode = async (path: string) => ((await fs.stat(join(directory, path))).mode & 0o777).toString(8);
    expect(await mode('out')).toBe('700');
    expect(await mode('out/.tmp')).toBe('700');
    expect(await mode('out/confidential')).toBe('700');
    expect(await mode('out/confidential/summary.json')).toBe('600');
    expect(await mode('out/confidential/part')).toBe('600');
  });

  it.each([
    { call: 'rename', options: {} },
    { call: 'link', options: { ifAbsent: true } },
  ] as const)('shows no object when it is killed before $call', async ({ call, options }) => {
    // A put that never goes on is what a kill at this moment leaves behind.
    const killed = vi.spyOn(fs, call).mockReturnValue(new Promise(() => {}));
    void new FileStore(directory).put('plan.json', bytesOf('whole'), options);
    await vi.waitFor(() => expect(killed).toHaveBeenCalled(), 60_000);
    vi.restoreAllMocks();

    const next = new FileStore(directory);
    expect(await next.head('plan.json')).toBeNull();
    expect(await next.list('')).toEqual([]);
    expect(await fs.readdir(join(directory, '.tmp'))).toHaveLength(1);
    expect(await next.put('plan.json', bytesOf('again'), options)).toBe('written');

    await next.removeTemporaryFiles();
    expect(await fs.readdir(directory)).toEqual(['plan.json']);
    await next.removeTemporaryFiles();
  });

  it('keeps the old object when it is killed while overwriting', async () => {
    const store = new FileStore(directory);
    await store.put('run.json', bytesOf('old'));
    const killed = vi.spyOn(fs, 'rename').mockReturnValue(new Promise(() => {}));
    void store.put('run.json', bytesOf('new'));
    await vi.waitFor(() => expect(killed).toHaveBeenCalled(), 60_000);
    expect(await store.get('run.json')).toEqual(bytesOf('old'));
  });

  it('passes on what the file system refuses, and leaves no temporary file', async () => {
    vi.spyOn(fs, 'rename').mockRejectedValue(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    await expect(new FileStore(directory).put('plan.json', bytesOf('x'))).rejects.toThrow('no space left');
    expect(await fs.readdir(join(directory, '.tmp'))).toEqual([]);
  });

  it('passes on a failure to read, rather than calling the object absent', async () => {
    vi.spyOn(fs, 'stat').mockRejectedValue(Object.assign(new Error('denied'), { code: 'EACCES' }));
    vi.spyOn(fs, 'open').mockRejectedValue(Object.assign(new Error('denied'), { code: 'EACCES' }));
    await expect(new FileStore(directory).head('plan.json')).rejects.toThrow('denied');
    await expect(new FileStore(directory).get('plan.json')).rejects.toThrow('denied');
  });

  it('leaves no temporary file after puts that were written or found the object present', async () => {
    const store = new FileStore(directory);
    await Promise.all(Array.from({ length: 8 }, () => store.put('part', bytesOf('p'), { ifAbsent: true })));
    await store.put('part', bytesOf('q'));
    expect(await fs.readdir(join(directory, '.tmp'))).toEqual([]);
  });

  it('does not list files that begin with a dot', async () => {
    const store = new FileStore(directory);
    await store.put('parts/1', bytesOf('p'));
    await fs.writeFile(join(directory, 'parts', '.hidden'), 'not ours');
    expect(await store.list('')).toEqual(['parts/1']);
  });

  it('refuses keys of another run', async () => {
    const store = new FileStore(directory, 'runs/r1/');
    await expect(store.get('runs/r2/plan.json')).rejects.toThrow(RangeError);
    await expect(store.put('runs/r10', bytesOf('x'))).rejects.toThrow(RangeError);
  });

  it('refuses key prefixes that are no folder', () => {
    expect(() => new FileStore(directory, 'runs/r1')).toThrow(RangeError);
    expect(() => new FileStore(directory, '../')).toThrow(RangeError);
    expect(() => new FileStore(directory, '/')).toThrow(RangeError);
  });

  it('gives every read a buffer of its own', async () => {
    const store = new FileStore(directory);
    await store.put('small', bytesOf('0123456789'));
    const bytes = await store.get('small');
    expect(bytes.byteOffset).toBe(0);
    expect(bytes.buffer.byteLength).toBe(10);
  });
});
