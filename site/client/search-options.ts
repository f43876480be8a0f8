import type { Options } from 'minisearch';

/** What the build and the browser must agree on; the address of a section is its id. */
export const searchOptions: Options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'excerpt'],
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
};
