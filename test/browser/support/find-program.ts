import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Returns the path of the first of the programs that is installed. */
export function findProgram(names: readonly string[]): string {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const found = candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error(`there is no ${names[0]}: npm run test:browser installs it where it may`);
  return found;
}
