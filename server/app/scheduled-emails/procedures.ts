import { transactionUnderLock } from '../../kernel/database/locks.js';
import { refusal, validationError } from '../../kernel/errors.js';
import { stopAlertEmails } from '../../notifying/alert-rules/stop-emails.js';
import { stopTokens } from '../../people/mail/stop-link.js';
import { openProcedure, sessionProcedure } from '../../trpc.js';
import {
  countScheduled,
  deleteScheduled,
  findScheduled,
  insertScheduled,
  keepView,
  lockScheduled,
  noteOpened,
  pauseScheduled,
  resumeScheduled,
} from './queries.js';
import {
  createInput,
  idInput,
  type NewScheduledEmail,
  ownScheduledMax,
  type ScheduledEmail,
  scheduledMax,
  setPausedInput,
  stopInput,
} from './schemas.js';

/** Lists the person's scheduled emails, and whether email is configured. */
export const listScheduled = sessionProcedure('viewer').query(
  async ({ ctx }): Promise<{ data: ScheduledEmail[]; email_configured: boolean }> => ({
    data: await findScheduled(ctx.services.db, ctx.orgId, { userId: ctx.actor.userId }),
    email_configured: ctx.services.settings.mail !== undefined,
  }),
);

/** Schedules emails of a view or a report for the person. 409 if email is not configured, or a maximum is reached. */
export const createScheduled = sessionProcedure('viewer')
  .input(createInput)
  .mutation(async ({ ctx, input }): Promise<{ id: number }> => {
    const { orgId, actor, services } = ctx;
    const { userId } = actor;
    checkSubject(input);
    if (!services.settings.mail) throw refusal('email_not_configured');
    return transactionUnderLock(services.db, { lock: 'scheduledEmails', orgId }, async (tx) => {
      const { all, own } = await countScheduled(tx, orgId, { userId });
      if (own >= ownScheduledMax) throw refusal('too_many_own_emails', { max: ownScheduledMax });
      if (all >= scheduledMax) throw refusal('limit_reached', { max: scheduledMax, what: 'scheduled emails' });
      if (input.view_id !== undefined && !(await keepView(tx, orgId, { userId, id: input.view_id }))) {
        throw refusal('not_found', { what: 'View' });
      }
      return { id: await insertScheduled(tx, orgId, { userId, email: input }) };
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
    throw validationError([{ field: 'report.asset_id', code: 'required', message: 'report.asset_id is required' }]);
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

/**
 * Records that the person has opened the view or report of an email in the app, which keeps the email from stopping
 * automatically.
 */
export const openScheduled = sessionProcedure('viewer')
  .input(idInput)
  .mutation(async ({ ctx, input: { id } }): Promise<void> => {
    await noteOpened(ctx.services.db, ctx.orgId, { userId: ctx.actor.userId, id });
  });

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
