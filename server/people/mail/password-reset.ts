import { randomToken } from '../auth/random-token.js';
import type { Database } from '../../kernel/database/client.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import type { NewJob } from '../../kernel/jobs/queue-queries.js';
import { findCredentials } from '../session/queries.js';
import { resetMinutes, storeReset } from '../session/reset-queries.js';
import { renderMail } from './layout.js';
import { findMailPerson, wordsFor } from './person.js';
import type { Mailer } from './mailer.js';

export const passwordResetTask = 'send_password_reset';

/**
 * Returns the job that mails a password link to the user with this address. It contains no token: the task generates
 * one.
 */
export function passwordResetJob(email: string): NewJob {
  return { task: passwordResetTask, payload: { email }, key: `${passwordResetTask}:${email}` };
}

/** Creates the task that mails a link to choose another password. The token is in the fragment, after the `#`. */
export function createPasswordResetTask(options: { db: Database; mailer: Mailer; baseUrl: string }): Task {
  const { db, mailer, baseUrl } = options;
  return async (payload) => {
    const { email } = payload as { email: string };
    const user = await findCredentials(db, email);
    if (!user) return;
    const token = randomToken();
    await storeReset(db, user.id, token);
    const person = await findMailPerson(db, user.id);
    const words = wordsFor(person);
    const mail = renderMail({
      language: person.language,
      subject: words`Choose a new password for Whereabouts`,
      paragraphs: [
        words`Somebody asked for a new password for this address in Whereabouts.`,
        words`The link can be used once, within ${resetMinutes} minutes. It ends all sessions of the account.`,
      ],
      links: [{ label: words`Choose a new password`, url: `${baseUrl}/reset-password#${token}` }],
      footer: words`If it was not you, ignore this email. Your password stays as it is.`,
    });
    await mailer.send({ to: email, ...mail });
  };
}
