import type { TransactionClient } from '../../kernel/database/client.js';
import { transactionUnderLock } from '../../kernel/database/locks.js';
import { fieldRefusal, refusal, validationError } from '../../kernel/errors.js';
import { stopAlertEmails } from '../../notifying/alert-rules/stop-emails.js';
import { stopTokens } from '../../people/mail/stop-link.js';
import { authorizePerson } from '../../people/auth/authorize.js';
import { openProcedure, sessionProcedure } from '../../trpc.js';
import { queueDue } from './delivery-queries.js';
import {
  countScheduled,
  deleteScheduled,
  findScheduled,
  insertScheduled,
  keepView,
  lockScheduled,
  makeDue,
  pauseScheduled,
  resumeScheduled,
  setRecipients,
} from './queries.js';
import {
  createInput,
  idInput,
  type NewScheduledEmail,
  ownScheduledMax,
  type ScheduledEmail,
  scheduledMax,
  setPausedInput,
  setRecipientsInput,
  stopInput,
  type Timing,
} from './schemas.js';

/** Lists the person's scheduled emails, and whether email is configured. */
export const listScheduled = sessionProcedure('viewer').query(
  async ({ ctx }): Promise<{ data: ScheduledEmail[]; email_configured: boolean }> => ({
    data: await findScheduled(ctx.services.db, ctx.orgId, { userId: ctx.actor.userId }),
    email_configured: ctx.services.settings.mail !== undefined,
  }),
);

/** Schedules emails of a view or a report for the person, and for other members. 409 if email is not configured, or a maximum is reached. */
export const createScheduled = sessionProcedure('viewer')
  .input(createInput)
  .mutation(async ({ ctx, input }): Promise<{ id: number }> => {
    const { orgId, actor, services } = ctx;
    const { userId } = actor;
    const { user_ids: userIds } = input;
    checkSubject(input);
    if (userIds.length > 0) authorizePerson(actor, 'manager');
    if (!services.settings.mail) throw refusal('email_not_configured');
    return transactionUnderLock(services.db, { lock: 'scheduledEmails', orgId }, async (tx) => {
      const { all, own } = await countScheduled(tx, orgId, { userId });
      if (own >= ownScheduledMax) throw refusal('too_many_own_emails', { max: ownScheduledMax });
      if (all >= scheduledMax) throw refusal('limit_reached', { max: scheduledMax, what: 'scheduled emails' });
      if (input.view_id !== undefined && !(await keepView(tx, orgId, { userId, id: input.view_id }))) {
        throw refusal('not_found', { what: 'View' });
      }
      const id = await insertScheduled(tx, orgId, { userId, email: input });
      if (userIds.length > 0) await storeRecipients(tx, orgId, { userId, id, timing: input, userIds });
      return { id };
    });
  });

/** @throws ContractError `validation_error` unless there is either a view or a report, with the asset that it needs */
function checkSubject({ view_id: viewId, report }: NewScheduledEmail): void {
  if ((viewId === undefined) === (report === undefined)) {
    throw validationError([
      { field: 'view_id', code: 'invalid_value', message: 'either view_id or report is required' },
    ]);
  }
  if (report?.kind === 'use' && report.asset_id === undefined) {
    throw fieldRefusal('report.asset_id', 'required');
  }
}

/** Pauses an email of the person, or continues it with its next occurrence. */
export const setScheduledPaused = sessionProcedure('viewer')
  .input(setPausedInput)
  .mutation(async ({ ctx, input: { id, is_paused: isPaused } }): Promise<void> => {
    const { orgId } = ctx;
    await ctx.services.db.$transaction(async (tx) => {
      const timing = await lockScheduled(tx, orgId, { userId: ctx.actor.userId, id });
      if (!timing) throw refusal('not_found', { what: 'Scheduled email' });
      if (isPaused) await pauseScheduled(tx, orgId, { id });
      else await resumeScheduled(tx, orgId, { id, timing });
    });
  });

export const removeScheduled = sessionProcedure('viewer')
  .input(idInput)
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    const isDeleted = await deleteScheduled(ctx.services.db, ctx.orgId, { userId: ctx.actor.userId, id });
    if (!isDeleted) throw refusal('not_found', { what: 'Scheduled email' });
  });

/** Sends an email now, to all who get it. 404 for an email of another person, 429 if it has just been sent. */
export const sendScheduled = sessionProcedure('viewer')
  .input(idInput)
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    const { orgId, actor, services } = ctx;
    const own = { userId: actor.userId, id };
    await services.db.$transaction(async (tx) => {
      if (!(await lockScheduled(tx, orgId, own))) throw refusal('not_found', { what: 'Scheduled email' });
      if ((await makeDue(tx, orgId, own)) === 0) throw refusal('email_just_sent');
    });
    await queueDue(services.db);
  });

/** Has other members get an email of the person too, who can stop it. 404 for an email of another person. */
export const setScheduledRecipients = sessionProcedure('manager')
  .input(setRecipientsInput)
  .mutation(async ({ ctx, input: { id, user_ids: userIds } }): Promise<void> => {
    const { orgId, actor, services } = ctx;
    await transactionUnderLock(services.db, { lock: 'scheduledEmails', orgId }, async (tx) => {
      const email = await lockScheduled(tx, orgId, { userId: actor.userId, id });
      if (!email || email.lead_id !== null) throw refusal('not_found', { what: 'Scheduled email' });
      await storeRecipients(tx, orgId, { userId: actor.userId, id, timing: email, userIds });
    });
  });

type Recipients = { userId: number; id: number; timing: Timing; userIds: readonly number[] };

/** @throws ContractError `limit_reached` */
async function storeRecipients(tx: TransactionClient, orgId: number, { userId, ...email }: Recipients): Promise<void> {
  await setRecipients(tx, orgId, email);
  if ((await countScheduled(tx, orgId, { userId })).all > scheduledMax) {
    throw refusal('limit_reached', { max: scheduledMax, what: 'scheduled emails' });
  }
}

/**
 * Stops the emails of a link, without signing in: pauses a scheduled email, or removes the person from the recipients of
 * alert rules. What was deleted meanwhile is stopped, too.
 */
export const stopScheduled = openProcedure
  .input(stopInput)
  .mutation(async ({ ctx, input: { token } }): Promise<{ stopped: 'alerts' | 'scheduled' }> => {
    const { db, settings } = ctx.services;
    const stopped = await stopTokens(settings).open(token);
    if (!stopped) throw refusal('link_used');
    if ('ruleIds' in stopped) await stopAlertEmails(db, stopped);
    else await pauseScheduled(db, stopped.orgId, stopped);
    return { stopped: 'ruleIds' in stopped ? 'alerts' : 'scheduled' };
  });
