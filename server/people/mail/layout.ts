declare const written: unique symbol;

/** Words of a mail, written with the template tag of `wordsFor`. */
export type MailWords = string & { readonly [written]: true };

/** A link of a mail. Names that users chose are never part of its address. */
export type MailLink = { label: MailWords; url: string };

/** A mail before it becomes text and HTML. */
export type MailContent = {
  subject: MailWords;
  /** Each is a paragraph. */
  paragraphs: readonly MailWords[];
  /** Lines of a list below the paragraphs. */
  items?: readonly { title: MailWords; detail: MailWords; url?: string | undefined }[];
  /** The links below, the most important first. */
  links: readonly MailLink[];
  language: 'en' | 'de' | null;
  /** Why the recipient got the mail. */
  footer: MailWords;
};

/** Invisible characters, and characters that reverse the direction of the text. */
const invisible = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** Returns a text in one line, with spaces inside everything that looks like a web or email address. */
export function withoutLinks(text: string): string {
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
 * Returns a text as one short line. Line breaks in a subject would begin another header, and names of assets can be
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
export function renderMail({ subject, paragraphs, items = [], links, footer, language }: MailContent) {
  const listed = items.map(
    ({ title, detail, url }) => `- ${title}\n  ${detail}${url === undefined ? '' : `\n  ${url}`}`,
  );
  const text = [
    ...paragraphs,
    ...(listed.length > 0 ? [listed.join('\n')] : []),
    ...links.map(({ label, url }) => `${label}: ${url}`),
    `-- \n${footer}`,
  ];
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(items.length > 0
      ? [
          `<ul>${items
            .map(({ title, detail, url }) => `<li>${linked(title, url)}<br>${escapeHtml(detail)}</li>`)
            .join('')}</ul>`,
        ]
      : []),
    ...links.map(({ label, url }) => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`),
    `<p style="color:#666;font-size:12px">${escapeHtml(footer)}</p>`,
  ];
  return {
    subject: oneLine(subject),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language ?? 'en'}"><body style="font-family:sans-serif">${html.join('')}</body></html>`,
  };
}

function linked(title: string, url: string | undefined): string {
  const text = `<strong>${escapeHtml(title)}</strong>`;
  return url === undefined ? text : `<a href="${escapeHtml(url)}">${text}</a>`;
}
