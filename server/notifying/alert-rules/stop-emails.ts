import type { Database } from '../../kernel/database/client.js';
import { nextInstant } from '../../kernel/database/columns.js';
import { transactionUnderLock } from '../../kernel/database/locks.js';
import { findRules } from './queries.js';
import { recordRuleChange } from './save-rule.js';

/**
 * Removes a member from the recipients of some rules, as the member asked for by the link in an email. What waits to be
 * mailed is not sent either. Rules that no longer exist, or no longer name the member, stay as they are.
 */
export async function stopAlertEmails(
  db: Database,
  { orgId, userId, ruleIds }: { orgId: number; userId: number; ruleIds: readonly number[] },
): Promise<void> {
  const scope = { orgId, author: { entryPoint: 'app', actor: `user:${userId}` } } as const;
  await transactionUnderLock(db, { lock: 'alerting', orgId }, async (tx) => {
    const rules = await findRules(tx, orgId);
    for (const before of rules) {
      if (!ruleIds.includes(before.id) || !before.email_user_ids.includes(userId)) continue;
      await tx.$executeRaw`
        UPDATE alert_rules
           SET email_user_ids = array_remove(email_user_ids, ${userId}::int), updated_at = ${nextInstant('updated_at')}
         WHERE org_id = ${orgId}::int AND id = ${before.id}::int`;
      const after = { ...before, email_user_ids: before.email_user_ids.filter((id) => id !== userId) };
      await recordRuleChange(tx, scope, { action: 'updated', before, after });
    }
    await tx.$executeRaw`
      DELETE FROM alert_emails e
       USING alerts a
       WHERE e.org_id = ${orgId}::int
         AND e.user_id = ${userId}::int
         AND a.id = e.alert_id
         AND a.rule_id = ANY(${[...ruleIds]}::int[])`;
  });
}
