import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { layoutOf, type PageFiles } from './layout.js';
import { createLinks } from './links.js';
import { type RenderedPage, renderPage } from './markdown.js';
import { addressOf, allPages, navigationOf, type SitePage } from './pages.js';
import { searchIndexOf } from './search-index.js';

/** What the navigation calls a page whose own title is longer than its line, or says less there. */
const shortTitles: Readonly<Record<string, string>> = { index: 'Overview', decisions: 'Decisions' };

const notFoundMarkdown =
  '# Page not found\n\nThere is no page at this address. Search, or choose a page from the contents.\n';

/** Renders the Markdown files of the project into pages around the client that Vite has built. */
export function docsPlugin(root: string): Plugin {
  return {
    name: 'whereabouts-docs',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const outputs = Object.values(bundle);
        const entry = outputs.find((output) => output.type === 'chunk' && output.isEntry);
        if (!entry) throw new Error('the client of the site was not built');
        const styles = outputs
          .filter(({ fileName }) => fileName.endsWith('.css'))
          .map(({ fileName }) => `/docs/${fileName}`);

        const pages = allPages(root);
        const links = createLinks(root, pages);
        const rendered = new Map(
          pages.map((page) => {
            const markdown = readFileSync(path.join(root, page.file), 'utf8');
            return [page, renderPage(markdown, (target) => links.resolve(page, target))];
          }),
        );
        const index = searchIndexOf(
          [...rendered].map(([page, content]) => ({ address: addressOf(page), page: content })),
        );
        const indexFile = this.emitFile({ type: 'asset', name: 'search.json', source: index });
        const files = {
          script: `/docs/${entry.fileName}`,
          styles,
          searchIndex: `/docs/${this.getFileName(indexFile)}`,
        };

        for (const [name, html] of documentsOf(root, rendered, files)) {
          this.emitFile({ type: 'asset', fileName: `${name}.html`, source: html });
        }
        for (const [name, source] of links.files) {
          this.emitFile({ type: 'asset', fileName: name, source: readFileSync(source) });
        }
      },
    },
  };
}

function documentsOf(
  root: string,
  rendered: ReadonlyMap<SitePage, RenderedPage>,
  files: PageFiles,
): [string, string][] {
  const groups = navigationOf(root);
  const titles = new Map([...rendered].map(([{ name }, { title }]) => [name, shortTitles[name] ?? title]));
  const titleOf = ({ name }: SitePage) => titles.get(name) ?? name;
  const missing: SitePage = { file: '', name: '404' };
  return [...rendered, [missing, renderPage(notFoundMarkdown, String)] as const].map(([page, content]) => [
    page.name,
    layoutOf({ page, rendered: content, groups, titleOf, files }),
  ]);
}
