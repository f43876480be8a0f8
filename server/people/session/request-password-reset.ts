import { z } from 'zod';
import { refusal } from '../../kernel/errors.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import { passwordResetJob } from '../mail/password-reset.js';
import { openProcedure } from '../../trpc.js';
import { emailField } from './fields.js';
import { takePasswordReset } from './throttle.js';

const input = z.strictObject({ email: emailField });

/**
 * Mails a link to choose another password, if a user has this address. The answer and its timing are the same
 * otherwise, since a job looks the address up. 409 if email is not configured.
 */
export const requestPasswordReset = openProcedure.input(input).mutation(async ({ ctx, input: { email } }) => {
  const { db, mailer } = ctx.services;
  if (!mailer) throw refusal('email_not_configured');
  await takePasswordReset(db, { email, clientAddress: ctx.clientAddress });
  await addJobs(db, [passwordResetJob(email)]);
  return { requested: true as const };
});
