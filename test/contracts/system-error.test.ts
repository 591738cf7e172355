import { expect, it } from 'vitest';
import { systemRefusal } from '../../shared/contracts/system-error.ts';

it.each([
  ["EACCES: permission denied, open 'runs/a/.tmp/918a58c9-5152'", 'You do not have permission to use runs/a.'],
  ["ENOSPC: no space left on device, write 'C:\\runs\\a\\.tmp\\918a58c9'", 'The disk is full: C:\\runs\\a could not be written.'],
  ["ENOENT: no such file or directory, open 'table.csv'", 'There is no file or folder table.csv.'],
  [
    "ENOENT: no such file or directory, mkdir 'runs'",
    'The folder runs cannot be made: its disk is read-only or not there, or a link on the way leads nowhere.',
  ],
  ["EROFS: read-only file system, mkdir 'runs/a'", 'Nothing can be written to runs/a: its disk is read-only.'],
])('%s names the folder, and no file that nobody knows', (message, told) => {
  expect(systemRefusal(new Error(message))?.message).toBe(told);
});
