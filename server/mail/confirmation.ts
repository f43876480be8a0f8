import { renderMail, words } from './layout.js';

/** Returns the mail with a link by which a signed-in person confirms the address of their account. */
export function confirmationMail({ url, providerName }: { url: string; providerName: string | undefined }) {
  return renderMail({
    subject: words`Confirm your email address for Whereabouts`,
    paragraphs: [
      providerName === undefined
        ? words`Somebody who is signed in to your account asked to confirm this address.`
        : words`Somebody who is signed in to your account asked to connect it to ${providerName}.`,
      words`Open the link in the browser in which you asked for it, within an hour.`,
    ],
    link: { label: words`Confirm`, url },
    footer: words`If it was not you, ignore this email: the link does nothing in another browser.`,
  });
}
