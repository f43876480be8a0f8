declare const written: unique symbol;

/** Words of a mail, written with `words`. */
export type MailWords = string & { readonly [written]: true };

/** A mail before it becomes text and HTML. */
export type MailContent = {
  subject: MailWords;
  /** Each is a paragraph. */
  paragraphs: readonly MailWords[];
  /** Lines of a list below the paragraphs. */
  items?: readonly { title: MailWords; detail: MailWords }[];
  /** The only link of the mail. */
  link: { label: MailWords; url: string };
  /** Why the recipient got it. */
  footer: MailWords;
};

/**
 * Template tag of all words of a mail. The inserted values can be names that anybody chose, so they are written such that no
 * mail program makes a link of them.
 */
export function words(parts: TemplateStringsArray, ...values: readonly (string | number)[]): MailWords {
  return String.raw({ raw: parts }, ...values.map((value) => withoutLinks(String(value)))) as MailWords;
}

/** Characters that are not seen, or that turn the direction of the text around. */
const invisible = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** Returns a text in one line, with spaces inside everything that looks like a web or email address. */
function withoutLinks(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll(invisible, '')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      // `example.com`, also with the periods of East Asian scripts, and `192.0.2.1`.
      .replaceAll(/(?<=\S)[.\u3002\uFF0E\uFF61](?=\p{L})|(?<=\d\.\d{1,3})\.(?=\d)/gu, '$& ')
      .replaceAll(/(?<=\p{L}):(?=\S)/gu, '$& ')
      .replaceAll(/(?<=\S)[@\uFF20\uFE6B](?=\S)/gu, ' $& ')
      .replaceAll(/\\{2,}/g, '\\')
  );
}

const replacements: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => replacements[character] ?? character);
}

/**
 * Returns a text as one short line: line breaks in a subject would begin another header, and names of assets can be
 * long.
 */
function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}

/** Renders a mail as plain text and as HTML with the same words. */
export function renderMail({ subject, paragraphs, items = [], link, footer }: MailContent) {
  const listed = items.map(({ title, detail }) => `- ${title}\n  ${detail}`);
  const text = [
    ...paragraphs,
    ...(listed.length > 0 ? [listed.join('\n')] : []),
    `${link.label}: ${link.url}`,
    `-- \n${footer}`,
  ];
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(items.length > 0
      ? [
          `<ul>${items
            .map(({ title, detail }) => `<li><strong>${escapeHtml(title)}</strong><br>${escapeHtml(detail)}</li>`)
            .join('')}</ul>`,
        ]
      : []),
    `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`,
    `<p style="color:#666;font-size:12px">${escapeHtml(footer)}</p>`,
  ];
  return {
    subject: oneLine(subject),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif">${html.join('')}</body></html>`,
  };
}
