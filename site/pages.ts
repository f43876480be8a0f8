import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** A page of the site: a Markdown file of the project, by its path from the root, and its name below `/docs`. */
export type SitePage = { file: string; name: string };

export type SiteGroup = { title: string; pages: readonly SitePage[] };

/** The landing page, which answers at `/docs` itself. */
export const homeFile = 'docs/README.md';

/** The navigation: every group with its files in the order in which they are shown. */
const navigation: Readonly<Record<string, readonly string[]>> = {
  Start: [homeFile, 'docs/quick-start.md'],
  'Using the app': ['docs/user-guide.md', 'docs/floor-plans.md', 'docs/alerts.md', 'docs/locating.md'],
  Readers: ['docs/readers/README.md', 'docs/mqtt.md'],
  API: [
    'docs/cookbook.md',
    'docs/typescript-client.md',
    'docs/contract.md',
    'docs/reading-everything.md',
    'docs/webhooks.md',
  ],
  Operating: [
    'docs/settings.md',
    'docs/operations.md',
    'docs/releases.md',
    'docs/single-sign-on.md',
    'docs/scaling.md',
    'docs/limits.md',
    'docs/performance.md',
    'SECURITY.md',
  ],
  Developing: [
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/internals/README.md',
    'docs/decisions/README.md',
    'CHANGELOG.md',
  ],
};

/** Folders whose files are pages below the README of the folder, without a line in the navigation. */
const folders = ['docs/decisions', 'docs/internals', 'docs/readers'];

/** Returns the groups of the navigation. Fails if a file is missing. */
export function navigationOf(root: string): SiteGroup[] {
  return Object.entries(navigation).map(([title, files]) => ({
    title,
    pages: files.map((file) => {
      if (!existsSync(path.join(root, file))) throw new Error(`the navigation names ${file}, which does not exist`);
      return pageOf(file);
    }),
  }));
}

/** Returns every page: the pages of the navigation, the rest of `docs/`, and the files in its folders. */
export function allPages(root: string): SitePage[] {
  const files = new Set(navigationOf(root).flatMap(({ pages }) => pages.map(({ file }) => file)));
  for (const folder of ['docs', ...folders]) {
    for (const name of readdirSync(path.join(root, folder)).toSorted()) {
      if (name.endsWith('.md')) files.add(`${folder}/${name}`);
    }
  }
  return [...files].map(pageOf);
}

function pageOf(file: string): SitePage {
  const base = file.replace(/^docs\//, '').replace(/\.md$/, '');
  if (file === homeFile) return { file, name: 'index' };
  const name = base.endsWith('/README') ? base.slice(0, -'/README'.length) : base.toLowerCase();
  return { file, name };
}

/** The path at which the service answers with a page. */
export function addressOf({ name }: SitePage): string {
  return name === 'index' ? '/docs' : `/docs/${name}`;
}
