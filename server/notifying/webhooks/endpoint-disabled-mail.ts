import type { Database, TransactionClient } from '../../kernel/database/client.js';
import type { NewJob } from '../../kernel/jobs/queue-queries.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import { findProvenAddress } from '../../people/session/queries.js';
import { findPreferences } from '../../people/session/preference-queries.js';
import { type MailWords, renderMail } from '../../people/mail/layout.js';
import { nobodyInParticular, type Write, wordsFor } from '../../people/mail/person.js';
import type { Mailer } from '../../people/mail/mailer.js';

export const endpointMailTask = 'send_endpoint_disabled_email';

type Payload = { org_id: number; endpoint_id: number; user_id: number };

/** Returns the jobs that notify each administrator of an organization that an endpoint was disabled. */
export async function endpointMailJobs(tx: TransactionClient, orgId: number, endpointId: number): Promise<NewJob[]> {
  const admins = await tx.$queryRaw<{ user_id: number }[]>`
    SELECT user_id FROM memberships WHERE org_id = ${orgId} AND role = 'admin' LIMIT 100`;
  return admins.map(({ user_id }) => ({
    task: endpointMailTask,
    payload: { org_id: orgId, endpoint_id: endpointId, user_id } satisfies Payload,
  }));
}

function reasonOf(words: Write, reason: string | null): MailWords[] {
  if (reason === 'gone') return [words`It answered 410 Gone, which means that it wants no more requests.`];
  return reason === 'failing' ? [words`None of its attempts succeeded for five days.`] : [];
}

/** Creates the task that mails one administrator about a disabled endpoint. */
export function createEndpointMailTask(options: { db: Database; mailer: Mailer; baseUrl: string }): Task {
  const { db, mailer, baseUrl } = options;
  return async (payload) => {
    const { org_id: orgId, endpoint_id: endpointId, user_id: userId } = payload as Payload;
    const endpoint = await findDisabled(db, orgId, { endpointId, userId });
    // The endpoint was enabled again or deleted meanwhile, or the person is no longer an administrator: there is
    // nothing to report. Nothing is sent to an address that nobody has proven, nor for an organization from before the
    // proof.
    const email = await findProvenAddress(db, userId);
    if (!endpoint || email === undefined) return;
    const person = (await findPreferences(db, userId)) ?? nobodyInParticular;
    const words = wordsFor(person);
    const mail = renderMail({
      language: person.language,
      subject: words`Webhook endpoint disabled: ${endpoint.name}`,
      paragraphs: [
        words`The webhook endpoint “${endpoint.name}” of ${endpoint.org_name} was disabled.`,
        ...reasonOf(words, endpoint.disabled_reason),
        words`Events that happen while it is disabled are not sent to it.`,
        words`Repair the receiver, then enable the endpoint again. “Send again” in its delivery log repeats what failed.`,
      ],
      links: [{ label: words`Open the webhook`, url: `${baseUrl}/alerts/webhooks/${endpointId}` }],
      footer: words`You receive this because you administer ${endpoint.org_name} in Whereabouts.`,
    });
    await mailer.send({ to: email, ...mail });
  };
}

type DisabledEndpoint = { name: string; disabled_reason: string | null; org_name: string };

/** Returns a disabled endpoint, if the user is an administrator of its organization and not only from before the proof. */
async function findDisabled(
  db: Database,
  orgId: number,
  { endpointId, userId }: { endpointId: number; userId: number },
): Promise<DisabledEndpoint | undefined> {
  const rows = await db.$queryRaw<DisabledEndpoint[]>`
    SELECT w.name, w.disabled_reason, o.name AS org_name
      FROM webhook_endpoints w
      JOIN organizations o ON o.id = w.org_id
      JOIN memberships m ON m.org_id = w.org_id AND m.user_id = ${userId}::int
     WHERE w.org_id = ${orgId}::int AND w.id = ${endpointId}::int AND NOT w.is_enabled
       AND m.role = 'admin' AND NOT m.precedes_proof`;
  return rows[0];
}
