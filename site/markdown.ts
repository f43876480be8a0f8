import { Marked, type Tokens } from 'marked';
import { createSlugs } from './slugs.js';

export type Heading = { depth: number; text: string; id: string };

/** A part of a page that a search can lead to: the text below one heading. */
export type Section = { heading: Heading | undefined; text: string };

export type RenderedPage = { title: string; html: string; headings: readonly Heading[]; sections: readonly Section[] };

/** Turns the target of a link or image, as the Markdown has it, into an address on the site. */
export type Resolve = (target: string) => string;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);
}

function plain(text: string): string {
  return text
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/**
 * Renders a Markdown file of the project. The result has no inline scripts and no inline styles, as the policy of the service
 * allows neither. The files are the project's own, so their HTML is trusted.
 */
export function renderPage(markdown: string, resolve: Resolve): RenderedPage {
  const slugs = createSlugs();
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        const text = plain(html);
        const id = slugs(text);
        headings.push({ depth, text, id });
        const anchor = depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${id}">${html}${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(resolve(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(resolve(href))}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      code({ text, lang }: Tokens.Code) {
        const language = lang ? ` data-language="${escapeHtml(lang)}"` : '';
        return `<pre tabindex="0"${language}><code>${escapeHtml(text)}\n</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells
            .map((cell) => {
              // A heading without words would be announced as one.
              const name = cell.text === '' ? 'td' : tag;
              const align = cell.align === 'right' ? ' class="right"' : '';
              return `<${name}${align}>${this.parser.parseInline(cell.tokens)}</${name}>`;
            })
            .join('')}</tr>`;
        const head = token.header.some(({ text }) => text !== '') ? `<thead>${row(token.header, 'th')}</thead>` : '';
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title: headings[0]?.text ?? '', html, headings, sections: sectionsOf(html, headings) };
}

/** Splits a page at its headings. */
function sectionsOf(html: string, headings: readonly Heading[]): Section[] {
  const starts = Array.from(html.matchAll(/<h[1-6] id=/g), ({ index }) => index);
  const before = plain(html.slice(0, starts[0]));
  const sections = headings.map((heading, at) => ({
    heading,
    text: plain(html.slice(starts[at], starts[at + 1]).replace(/^<h[1-6][^]*?<\/h[1-6]>/, '')),
  }));
  return before === '' ? sections : [{ heading: undefined, text: before }, ...sections];
}
