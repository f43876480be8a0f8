import { renderMail } from './layout.js';
import { type MailPerson, wordsFor } from './person.js';

/** Returns the mail with a link by which a signed-in person confirms the address of their account. */
export function confirmationMail(
  person: MailPerson,
  { url, providerName }: { url: string; providerName: string | undefined },
) {
  const words = wordsFor(person);
  return renderMail({
    language: person.language,
    subject: words`Confirm your email address for Whereabouts`,
    paragraphs: [
      providerName === undefined
        ? words`Somebody who is signed in to your account asked to confirm this address.`
        : words`Somebody who is signed in to your account asked to connect it to ${providerName}.`,
      words`Open the link in the browser in which you asked for it, within an hour.`,
    ],
    links: [{ label: words`Confirm`, url }],
    footer: words`If it was not you, ignore this email: the link does nothing in another browser.`,
  });
}
