import MiniSearch from 'minisearch';
import type { RenderedPage } from './markdown.js';
import { searchOptions } from './client/search-options.js';

type Indexed = { address: string; page: RenderedPage };

const excerptLength = 140;

/** Returns the search index of all pages as JSON: one document for each section, with an excerpt to show. */
export function searchIndexOf(pages: readonly Indexed[]): string {
  const index = new MiniSearch(searchOptions);
  for (const { address, page } of pages) {
    for (const { heading, text } of page.sections) {
      const isTitle = heading === undefined || heading.depth === 1;
      const title = isTitle ? page.title : heading.text;
      index.add({
        id: isTitle && heading === undefined ? `${address}#` : isTitle ? address : `${address}#${heading.id}`,
        title,
        page: page.title,
        text,
        excerpt: text.length > excerptLength ? `${text.slice(0, excerptLength).trimEnd()} …` : text,
      });
    }
  }
  return JSON.stringify(index);
}
