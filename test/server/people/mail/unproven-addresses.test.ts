import { expect, test } from 'vitest';
import { claimEmail, queueDue } from '../../../../server/app/scheduled-emails/delivery-queries.js';
import { proveAddress } from '../../../../server/people/session/prove-address.js';
import { createAlertingWorld } from '../../../support/alerting-world.js';
import { addSession, createAsset } from '../../../support/factories.js';
import { createMailServer, type ReceivedMail } from '../../../support/mail-server.js';
import { fileWorld } from '../../../support/shared.js';

const baseUrl = 'https://whereabouts.example.com';

const smtp = fileWorld(createMailServer);
const world = fileWorld(() =>
  createAlertingWorld({ mail: { smtpUrl: smtp.url, from: 'Whereabouts <alerts@example.com>' }, baseUrl }),
);

const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));

/** An administrator whose address nobody has proven, or somebody has, and their organization. */
async function createPerson({ isProven }: { isProven: boolean }) {
  const org = await world.organization();
  const session = await addSession(world, org.orgId, 'admin');
  if (!isProven) await world.db.user.update({ where: { id: session.userId }, data: { emailProvenAt: null } });
  return { org, session, caller: await world.as(session) };
}

type Person = Awaited<ReturnType<typeof createPerson>>;

const addRule = ({ caller, session }: Person, name: string) =>
  caller.alertRules.create({
    name,
    event_type: 'asset.created',
    notify: { app: true, email_user_ids: [session.userId], email_mode: 'each', endpoint_ids: [] },
  });

async function proveBy({ session }: Person): Promise<void> {
  await world.db.$transaction((tx) => proveAddress(tx, session.userId, { keepsAll: true }));
}

/** The number of alerts that wait to be mailed to a person. */
const waitingAlerts = ({ session }: Person) => world.db.alertEmail.count({ where: { userId: session.userId } });

const headerOf = (mail: ReceivedMail | undefined, name: string) =>
  new RegExp(`^${name}:((?:.|\\r\\n[ \\t])*)`, 'm').exec(mail?.text ?? '')?.[1]?.replaceAll(/\s+/g, '');

test('an alert waits until its recipient has proven the address, and is then mailed', async () => {
  const person = await createPerson({ isProven: false });
  await addRule(person, 'New things');
  await createAsset(person.org, { name: 'Forklift 7' });
  const jobs = () => world.db.$queryRaw<unknown[]>`
    SELECT FROM graphile_worker.jobs
     WHERE task_identifier = 'send_alert_emails' AND locked_at IS NULL AND run_at > now() + interval '4 minutes'
       AND key LIKE ${`%:${person.session.userId}:each`}`;
  // The job has run, and looks again later.
  await expect.poll(async () => (await jobs()).length).toBe(1);
  expect(mailsTo(person.session.email)).toEqual([]);
  expect(await waitingAlerts(person)).toBe(1);
  await proveBy(person);
  await expect
    .poll(() => mailsTo(person.session.email).map(({ subject }) => subject))
    .toEqual(['Forklift 7 was created']);
  await expect.poll(() => waitingAlerts(person)).toBe(0);
});

test('a scheduled email waits until its recipient has proven the address, and is then mailed', async () => {
  const person = await createPerson({ isProven: false });
  const { id } = await person.caller.scheduledEmails.create({
    frequency: 'daily',
    hour: 7,
    time_zone: 'Europe/Berlin',
    format: 'csv',
    report: { kind: 'unseen' },
  });
  await world.db.$executeRaw`UPDATE scheduled_emails SET due_at = now() - interval '1 hour' WHERE id = ${id}`;
  await queueDue(world.db);
  expect(await claimEmail(world.db, id)).toBeUndefined();
  expect(mailsTo(person.session.email)).toEqual([]);
  await proveBy(person);
  await expect.poll(() => mailsTo(person.session.email).length, { timeout: 20_000 }).toBe(1);
});

test('the app says that mail waits, to the person and in the form for rules', async () => {
  const person = await createPerson({ isProven: false });
  const { userId } = person.session;
  expect(await person.caller.session.me()).toMatchObject({ mail_waits: true });
  expect((await person.caller.alertRules.options()).members).toMatchObject([{ user_id: userId, is_proven: false }]);
  await proveBy(person);
  expect(await person.caller.session.me()).toMatchObject({ mail_waits: false });
  expect((await person.caller.alertRules.options()).members).toMatchObject([{ user_id: userId, is_proven: true }]);
});

test('changes of credentials are mailed only to a proven address', async () => {
  const [unproven, proven] = [await createPerson({ isProven: false }), await createPerson({ isProven: true })];
  for (const { caller } of [unproven, proven]) {
    await caller.apiKeys.create({ name: 'Buy at example', scopes: ['assets:read'], expires_at: null });
  }
  await expect.poll(() => mailsTo(proven.session.email).length).toBe(1);
  await expect
    .poll(() => world.db.$queryRaw`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'send_credential_mail'`)
    .toEqual([]);
  expect(mailsTo(unproven.session.email)).toEqual([]);
});

test('an alert has a link and headers that stop the alerts of its rule to the person, without signing in', async () => {
  const person = await createPerson({ isProven: true });
  const [rule, other] = [await addRule(person, 'New things'), await addRule(person, 'Other')];
  await world.db.alertRule.update({ where: { id: other.id }, data: { isEnabled: false } });
  await createAsset(person.org, { name: 'Forklift 7' });
  await expect.poll(() => mailsTo(person.session.email).length).toBe(1);
  const [mail] = mailsTo(person.session.email);
  const stopUrl = headerOf(mail, 'List-Unsubscribe')?.slice(1, -1) ?? '';
  expect(stopUrl).toMatch(/^https:\/\/whereabouts\.example\.com\/stop-email\?token=eyJ/);
  expect(headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(mail?.bodies.text).toContain(`Stop these emails: ${stopUrl.replace('?token=', '#')}`);
  const post = (query: string) =>
    fetch(`${world.url}/stop-email${query}`, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      redirect: 'error',
    });
  const { search } = new URL(stopUrl);
  expect((await post(search.slice(0, -3))).status).toBe(404);
  expect((await post('')).status).toBe(400);
  const answer = await post(search);
  expect(answer.status).toBe(200);
  expect(answer.headers.getSetCookie()).toEqual([]);
  const recipients = async (id: number) => (await person.caller.alertRules.get({ id })).rule.notify.email_user_ids;
  expect(await recipients(rule.id)).toEqual([]);
  expect(await recipients(other.id)).toEqual([person.session.userId]);
  const [entry] = await world.db.$queryRaw<{ actor: string; before: unknown; after: unknown }[]>`
    SELECT actor, before, after FROM activity_log
     WHERE org_id = ${person.org.orgId} AND kind = 'alert_rule' AND action = 'updated' ORDER BY id DESC LIMIT 1`;
  expect(entry).toMatchObject({ actor: `user:${person.session.userId}`, after: { email_recipients: [] } });
  // A second click, as of a mail program that repeats, does nothing more.
  expect((await post(search)).status).toBe(200);
});
