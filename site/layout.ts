import { escapeHtml, type RenderedPage } from './markdown.js';
import { addressOf, type SiteGroup, type SitePage } from './pages.js';

/** Addresses of the files that every page loads. */
export type PageFiles = { script: string; styles: readonly string[]; searchIndex: string };

export type LayoutOptions = {
  page: SitePage;
  rendered: RenderedPage;
  groups: readonly SiteGroup[];
  titleOf: (page: SitePage) => string;
  files: PageFiles;
};

/** Returns the whole document of a page. Everything in it that runs or styles is a file, so no policy has to allow more. */
export function layoutOf({ page, rendered, groups, titleOf, files }: LayoutOptions): string {
  const description = rendered.sections.find(({ text }) => text !== '')?.text.slice(0, 160) ?? '';
  const title = page.name === 'index' ? 'Whereabouts documentation' : `${rendered.title} · Whereabouts`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(description)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${files.styles.map((style) => `<link rel="stylesheet" href="${style}">`).join('\n')}
<script src="/color-scheme.js"></script>
<script type="module" src="${files.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/docs">Whereabouts <span>Docs</span></a>
<search id="search" data-index="${files.searchIndex}" hidden>
<input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
<p role="status" class="hidden-text"></p>
<ol hidden></ol>
</search>
<nav aria-label="Service"><a href="/">App</a> <a href="/api/docs">API reference</a></nav>
</header>
<div class="columns">
<details class="menu"><summary>Contents</summary><nav aria-label="Documentation">
${groups.map((group) => groupHtml(group, page, titleOf)).join('\n')}
</nav></details>
<main id="content" tabindex="-1">
${rendered.html}${neighborsHtml(page, groups, titleOf)}
</main>
${outlineHtml(rendered)}
</div>
</body>
</html>
`;
}

function groupHtml({ title, pages }: SiteGroup, current: SitePage, titleOf: LayoutOptions['titleOf']): string {
  const items = pages.map((page) => {
    // Pages of a folder belong to the page that lists them.
    const isCurrent = page.name === current.name;
    const isAbove = !isCurrent && current.name.startsWith(`${page.name}/`);
    const mark = isCurrent ? ' aria-current="page"' : isAbove ? ' aria-current="true"' : '';
    return `<li><a href="${addressOf(page)}"${mark}>${escapeHtml(titleOf(page))}</a></li>`;
  });
  return `<p>${escapeHtml(title)}</p>\n<ul>\n${items.join('\n')}\n</ul>`;
}

function outlineHtml({ headings }: RenderedPage): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="outline" aria-label="On this page"><p>On this page</p><ul>\n${items.join('\n')}\n</ul></nav>`;
}

function neighborsHtml(current: SitePage, groups: readonly SiteGroup[], titleOf: LayoutOptions['titleOf']): string {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex(({ name }) => name === current.name);
  if (at === -1) return '';
  const link = (page: SitePage | undefined, relation: 'prev' | 'next') =>
    page ? `<a rel="${relation}" href="${addressOf(page)}">${escapeHtml(titleOf(page))}</a>` : '<span></span>';
  return `<nav class="neighbors" aria-label="Previous and next page">${link(pages[at - 1], 'prev')}${link(pages[at + 1], 'next')}</nav>`;
}
