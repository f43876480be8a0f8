import { renderMail } from '../../people/mail/layout.js';
import { instantFor, type MailPerson, wordsFor, type Write } from '../../people/mail/person.js';
import type { Figure, Figures } from './figures.js';
import type { ReportKind } from './schemas.js';

type Subject = {
  recipient: MailPerson & { org_name: string };
  /** The name of the view or the report. */
  title: string;
  baseUrl: string;
};

const reportTitles: Record<ReportKind, (words: Write) => string> = {
  dwell: (words) => words`Dwell time by location`,
  flow: (words) => words`Flow between locations`,
  use: (words) => words`Use of an asset by location and hour`,
  inventory: (words) => words`Inventory`,
  unseen: (words) => words`Assets that were not seen`,
  missing: (words) => words`Assets that are not where they belong`,
};

/** Returns the name of a report in a person's language. */
export function reportTitle(person: MailPerson, kind: ReportKind): string {
  return reportTitles[kind](wordsFor(person));
}

type Content = {
  /** The instant that the email is about, in epoch milliseconds. */
  atMs: number;
  /** The numbers of the attached file, and how many rows it has; null if it is too large to attach. */
  numbers: { rows: number; figures: Figures } | null;
  /** The page of the app that shows the same data. */
  path: string;
  /** The page that stops these emails. */
  stopPageUrl: string;
  /** Who has the person get the email; null for the person. */
  sender: string | null;
};

/** Returns an email of a view or a report. */
export function scheduledMail({ recipient, title, baseUrl }: Subject, content: Content) {
  const { atMs, numbers, path, stopPageUrl, sender } = content;
  const words = wordsFor(recipient);
  const at = instantFor(recipient, atMs);
  return renderMail({
    language: recipient.language,
    subject: words`${title}, ${at}`,
    paragraphs: [
      words`${title} in ${recipient.org_name}, as of ${at}.`,
      ...(numbers
        ? [words`${numbers.figures.total}. Rows in the attached file: ${numbers.rows}.`]
        : [
            words`The file is too large for an email. Open the page below, which has the same filters, and export it there.`,
          ]),
    ],
    items: numbers ? numbersIn(words, numbers.figures) : [],
    links: [
      { label: words`Open ${title}`, url: `${baseUrl}${path}` },
      { label: words`Stop these emails`, url: stopPageUrl },
    ],
    footer:
      sender === null
        ? words`You receive this because you asked for it in Whereabouts.`
        : words`You receive this because ${sender} has Whereabouts send it to you. The link above stops it.`,
  });
}

function numbersIn(words: Write, { listed, more }: Figures): Figure[] {
  return more > 0 ? [...listed, { title: words`Others`, detail: words`${more} more in the file` }] : listed;
}

/** Returns the mail about an email that has stopped because its view, location or asset was deleted. */
export function stoppedMail({ recipient, title, baseUrl }: Subject) {
  const words = wordsFor(recipient);
  return renderMail({
    language: recipient.language,
    subject: words`Stopped: ${title}`,
    paragraphs: [
      words`What the emails with “${title}” of ${recipient.org_name} are about does not exist any more, so they have stopped.`,
    ],
    links: [{ label: words`Open your account`, url: `${baseUrl}/account` }],
    footer: words`You receive this because Whereabouts sent these emails to you. Your account page lists them.`,
  });
}
