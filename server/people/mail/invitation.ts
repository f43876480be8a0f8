import type { Role } from '../auth/scopes.js';
import { withDeadline } from '../../kernel/deadline.js';
import type { Log } from '../../kernel/log.js';
import { renderMail } from './layout.js';
import { instantFor, type MailPerson, type Write, wordsFor } from './person.js';
import type { Mail, Mailer } from './mailer.js';

/** The outcome of the mail with an invitation's link; the link itself works in any case. */
export type InvitationMailStatus = 'sent' | 'failed' | 'limit_reached' | 'not_configured';

export type InvitationMail = {
  to: string;
  /** Whose language and formats the mail has. */
  person: MailPerson;
  orgName: string;
  inviterName: string;
  role: Role;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** The whole address, with the token. */
  url: string;
};

/** How long somebody waits for the mail server; a mail that it accepts later is sent all the same. */
const timeoutMs = 8000;

/** Mails an invitation while its administrator waits: the link is not stored, so no job could send it later. */
export async function mailInvitation(services: MailServices, mail: InvitationMail): Promise<'sent' | 'failed'> {
  return mailAtOnce(services, { to: mail.to, ...invitationMail(mail) });
}

type MailServices = { mailer: Mailer; log: Log };

/** Sends a mail while somebody waits for it. */
export async function mailAtOnce({ mailer, log }: MailServices, mail: Mail): Promise<'sent' | 'failed'> {
  try {
    await withDeadline({ what: 'the mail server', ms: timeoutMs }, () => mailer.send(mail));
    return 'sent';
  } catch (error) {
    log.warn({ err: error }, 'a mail that somebody waits for could not be sent');
    return 'failed';
  }
}

/** Returns the mail with an invitation, as text and as HTML. */
export function invitationMail({ person, orgName, inviterName, role, expiresAt, url }: Omit<InvitationMail, 'to'>) {
  const words = wordsFor(person);
  return renderMail({
    language: person.language,
    subject: words`${inviterName} invites you to ${orgName} in Whereabouts`,
    paragraphs: [
      words`${inviterName} invites you to join ${orgName} in Whereabouts, with the role ${roleIn(words, role)}.`,
      words`The link can be used once, until ${instantFor(person, expiresAt)}.`,
    ],
    links: [{ label: words`Accept the invitation`, url }],
    footer: words`You receive this because an administrator entered this address. If you do not know them, ignore this email.`,
  });
}

const roles: Record<Role, (words: Write) => string> = {
  viewer: (words) => words`viewer`,
  operator: (words) => words`operator`,
  manager: (words) => words`manager`,
  admin: (words) => words`admin`,
};

function roleIn(words: Write, role: Role): string {
  return roles[role](words);
}
