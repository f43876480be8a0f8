import type { Database, TransactionClient } from '../../kernel/database/client.js';
import type { NewJob } from '../../kernel/jobs/queue-queries.js';
import type { Task } from '../../kernel/jobs/job-workers.js';
import { findProvenAddress } from '../../people/session/queries.js';
import { type MailWords, renderMail } from '../../people/mail/layout.js';
import { findMailPerson, type Write, wordsFor } from '../../people/mail/person.js';
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
    const [endpoint, member] = await db.models(({ webhookEndpoint, membership }) =>
      Promise.all([
        webhookEndpoint.findFirst({ where: { orgId, id: endpointId, isEnabled: false } }),
        membership.findFirst({
          where: { orgId, userId, role: 'admin', precedesProof: false },
          include: { user: true, organization: true },
        }),
      ]),
    );
    // The endpoint was enabled again or deleted meanwhile, or the person is no longer an administrator: there is
    // nothing to report. Nothing is sent to an address that nobody has proven, nor for an organization from before the
    // proof.
    const email = await findProvenAddress(db, userId);
    if (!endpoint || !member || email === undefined) return;
    const person = await findMailPerson(db, userId);
    const words = wordsFor(person);
    const mail = renderMail({
      language: person.language,
      subject: words`Webhook endpoint disabled: ${endpoint.name}`,
      paragraphs: [
        words`The webhook endpoint “${endpoint.name}” of ${member.organization.name} was disabled.`,
        ...reasonOf(words, endpoint.disabledReason),
        words`Events that happen while it is disabled are not sent to it.`,
        words`Repair the receiver, then enable the endpoint again. “Send again” in its delivery log repeats what failed.`,
      ],
      links: [{ label: words`Open the webhook`, url: `${baseUrl}/alerts/webhooks/${endpointId}` }],
      footer: words`You receive this because you administer ${member.organization.name} in Whereabouts.`,
    });
    await mailer.send({ to: email, ...mail });
  };
}
