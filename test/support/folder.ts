import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder of one test's own, which every user of the machine may pass; disposing of it deletes it. */
export type TestFolder = Disposable & {
  readonly path: string;
};

export function createTestFolder(name = 'test'): TestFolder {
  const folder = mkdtempSync(path.join(tmpdir(), `${name}-`));
  chmodSync(folder, 0o711);
  return {
    path: folder,
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
