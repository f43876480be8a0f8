import { renderMail } from '../../people/mail/layout.js';
import { instantFor, type MailPerson, wordsFor, type Write } from '../../people/mail/person.js';
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
};

/** Returns the name of a report in a person's language. */
export function reportTitle(person: MailPerson, kind: ReportKind): string {
  return reportTitles[kind](wordsFor(person));
}

/** Returns the text for "no known location" in a cell of a file. */
export function nowhereText(person: MailPerson): string {
  const words = wordsFor(person);
  return words`No location`;
}

type Content = {
  /** The instant that the email is about, in epoch milliseconds. */
  atMs: number;
  /** Rows of the attached file; null if it is too large to attach. */
  rows: number | null;
  /** The page of the app that shows the same data. */
  path: string;
  /** The page that stops these emails. */
  stopPageUrl: string;
};

/** Returns an email of a view or a report. */
export function scheduledMail({ recipient, title, baseUrl }: Subject, { atMs, rows, path, stopPageUrl }: Content) {
  const words = wordsFor(recipient);
  const at = instantFor(recipient, atMs);
  return renderMail({
    language: recipient.language,
    subject: words`${title}, ${at}`,
    paragraphs: [
      words`${title} in ${recipient.org_name}, as of ${at}.`,
      rows === null
        ? words`The file is too large for an email. Open the page below, which has the same filters, and export it there.`
        : words`Rows in the attached file: ${rows}.`,
    ],
    links: [
      { label: words`Open ${title}`, url: `${baseUrl}${path}` },
      { label: words`Stop these emails`, url: stopPageUrl },
    ],
    footer: words`You receive this because you asked for it in Whereabouts. It stops by itself when you have opened none of three in a row.`,
  });
}

/** Why emails stop automatically. */
export type StopReason = 'unopened' | 'gone';

/** Returns the mail about an email that has stopped. */
export function stoppedMail({ recipient, title, baseUrl }: Subject, reason: StopReason) {
  const words = wordsFor(recipient);
  return renderMail({
    language: recipient.language,
    subject: words`Stopped: ${title}`,
    paragraphs: [
      reason === 'unopened'
        ? words`You have opened none of the last three emails with “${title}” of ${recipient.org_name}, so they have stopped.`
        : words`What the emails with “${title}” of ${recipient.org_name} are about does not exist any more, so they have stopped.`,
    ],
    links: [{ label: words`Open your account`, url: `${baseUrl}/account` }],
    footer: words`You receive this because you asked for these emails in Whereabouts. The account page can continue them.`,
  });
}
