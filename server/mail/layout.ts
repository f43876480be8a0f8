/** A mail before it becomes text and HTML. */
export type MailContent = {
  subject: string;
  /** Each is a paragraph. */
  paragraphs: readonly string[];
  /** Lines of a list below the paragraphs. */
  items?: readonly { title: string; detail: string }[];
  link: { label: string; url: string };
  /** Why the recipient got it. */
  footer: string;
};

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
    .slice(0, 200);
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
