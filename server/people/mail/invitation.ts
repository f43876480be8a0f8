import type { Role } from '../auth/scopes.js';
import { renderMail } from './layout.js';
import { instantFor, type MailPerson, type Write, wordsFor } from './person.js';

/** The outcome of the mail with an invitation's link; the link itself works in any case. */
export type InvitationMailStatus = 'sent' | 'failed' | 'limit_reached' | 'not_configured';

/** The contents of the mail, and its `url` with the token. */
type Invitation = {
  /** The person whose language and formats the mail has. */
  person: MailPerson;
  orgName: string;
  inviterName: string;
  role: Role;
  /** Epoch milliseconds. */
  expiresAt: number;
  url: string;
};

/** Returns the mail with an invitation, as text and as HTML. */
export function invitationMail({ person, orgName, inviterName, role, expiresAt, url }: Invitation) {
  const words = wordsFor(person);
  return renderMail({
    language: person.language,
    subject: words`${inviterName} invites you to ${orgName} in Whereabouts`,
    paragraphs: [
      words`${inviterName} invites you to join ${orgName} in Whereabouts, with the role ${roles[role](words)}.`,
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
