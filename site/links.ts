import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { addressOf, type SitePage } from './pages.js';

export type Links = {
  /** Returns the address on the site of a target in a page. Fails if nothing is there. */
  resolve(page: SitePage, target: string): string;
  /** The files that pages link to and that the site therefore contains, by their name below `/docs`. */
  files: ReadonlyMap<string, string>;
};

const pictureEndings = new Set(['.svg', '.webp', '.png']);

/**
 * Follows links as they stand in the Markdown files, where they lead from file to file. Pages become addresses of the site;
 * pictures and other files of the project become files of the site, the latter as text.
 */
export function createLinks(root: string, pages: readonly SitePage[]): Links {
  const byFile = new Map(pages.map((page) => [page.file, addressOf(page)]));
  // The README of the project introduces the repository; on the site this is the landing page.
  byFile.set('README.md', '/docs');
  const files = new Map<string, string>();

  function resolve(page: SitePage, target: string): string {
    if (/^[a-z]+:/.test(target) || target.startsWith('#') || target.startsWith('/')) return target;
    const [filePath = '', fragment] = target.split('#');
    const file = path.posix.join(path.posix.dirname(page.file), decodeURIComponent(filePath));
    const address = byFile.get(file) ?? byFile.get(path.posix.join(file, 'README.md'));
    if (address !== undefined) return fragment === undefined ? address : `${address}#${fragment}`;
    const source = path.join(root, file);
    if (file.startsWith('..') || !existsSync(source) || !statSync(source).isFile()) {
      throw new Error(`${page.file} links to ${target}, which is no file of the project`);
    }
    const isPicture = pictureEndings.has(path.extname(file));
    const name = `files/${file.replace(/^docs\//, '').replaceAll(/(^|\/)\./g, '$1')}${isPicture ? '' : '.txt'}`;
    files.set(name, source);
    return `/docs/${name}`;
  }

  return { resolve, files };
}
