import type { Database, TransactionClient } from '../../kernel/database/client.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import { findProvenAddress } from '../session/queries.js';
import type { ProvenAddress } from '../session/prove-address.js';
import { takeNotice } from '../session/throttle.js';
import type { Settings } from '../../kernel/settings.js';
import { type MailWords, renderMail } from './layout.js';
import { findMailPerson, type Write, wordsFor } from './person.js';
import type { Mailer } from './mailer.js';

export const credentialMailTask = 'send_credential_mail';

/** A change of the credentials of an account. */
export type CredentialChange =
  | 'password_changed'
  | 'password_reset'
  | 'sign_on_connected'
  | 'sign_on_disconnected'
  | 'account_claimed'
  | 'api_key_created';

const sentences: Record<CredentialChange, (words: Write) => MailWords> = {
  password_changed: (words) => words`The password of your account was changed. All other sessions have ended.`,
  password_reset: (words) =>
    words`A new password was chosen with a link that was sent to you. All sessions have ended.`,
  sign_on_connected: (words) => words`Single sign-on was connected to your account.`,
  sign_on_disconnected: (words) => words`Single sign-on was disconnected from your account.`,
  account_claimed: (words) => words`You proved that the address of your account is yours.`,
  api_key_created: (words) => words`An API key was created with your account.`,
};

type Payload = { user_id: number; change: CredentialChange; detail?: string; is_first_proof?: boolean };

type Notice = {
  userId: number;
  change: CredentialChange;
  /** The name of the changed credential. */
  detail?: string;
  /** The proof of the address in the same step, if any. */
  proof?: ProvenAddress;
};

/**
 * Notifies a person by email of a change of their credentials, if and when the transaction commits. Does nothing if
 * email is not configured, or nobody has proven the address. An account gets at most ten of these mails in 15 minutes.
 */
export async function notifyOfChange(
  tx: TransactionClient,
  settings: Pick<Settings, 'mail'>,
  { userId, change, detail, proof }: Notice,
): Promise<void> {
  if (!settings.mail || !(await takeNotice(tx, userId))) return;
  const payload: Payload = {
    user_id: userId,
    change,
    ...(detail !== undefined && { detail }),
    ...(proof?.isFirst && { is_first_proof: true }),
  };
  await addJobs(tx, [{ task: credentialMailTask, payload }]);
}

/** Creates the task that mails one change to the person. */
export function createCredentialMailTask(options: { db: Database; mailer: Mailer; baseUrl: string }): Task {
  const { db, mailer, baseUrl } = options;
  return async (content) => {
    const { user_id: userId, change, detail, is_first_proof: isFirstProof } = content as Payload;
    const email = await findProvenAddress(db, userId);
    if (email === undefined) return;
    const person = await findMailPerson(db, userId);
    const words = wordsFor(person);
    const mail = renderMail({
      language: person.language,
      subject: words`A change of your Whereabouts account`,
      paragraphs: [
        sentences[change](words),
        ...(detail === undefined ? [] : [words`It is named “${detail}”.`]),
        ...(isFirstProof
          ? [
              words`Your address had not been proven before. Passwords, single sign-on, sessions and API keys from before this proof were removed.`,
            ]
          : []),
      ],
      links: [{ label: words`Open your account`, url: `${baseUrl}/account` }],
      footer: words`If it was not you, choose a new password with “Forgot your password?” on the sign-in page, and inform an administrator.`,
    });
    await mailer.send({ to: email, ...mail });
  };
}
