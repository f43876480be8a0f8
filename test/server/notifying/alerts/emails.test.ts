import { expect, test } from 'vitest';
import { createAlertingWorld } from '../../../support/alerting-world.js';
import { untilWellWithin } from '../../../support/clock.js';
import { createAsset } from '../../../support/factories.js';
import { createMailServer } from '../../../support/mail-server.js';

const from = 'Whereabouts <alerts@example.com>';
const dayMs = 86_400_000;

test('an alert is mailed as text and HTML, in the time of the person’s device, with a link to the app', async () => {
  await using smtp = await createMailServer();
  await using world = await createAlertingWorld({
    mail: { smtpUrl: smtp.url, from },
    baseUrl: 'https://whereabouts.example.com',
  });
  const { admin, org, session } = world;
  await admin.session.noteDevice({ time_zone: 'Asia/Kolkata', language: 'en' });
  await admin.alertRules.create({
    name: 'New things',
    event_type: 'asset.created',
    notify: { app: true, email_user_ids: [session.userId], email_mode: 'each', endpoint_ids: [] },
  });
  await createAsset(org, { name: 'Forklift <7>' });
  await smtp.waitFor(1);
  const [mail] = smtp.mails;
  const user = await world.db.user.findUniqueOrThrow({ where: { id: session.userId } });
  expect(mail?.to).toEqual([user.email]);
  expect(mail?.subject).toBe('Forklift <7> was created');
  expect(mail?.bodies.text).toMatch(/Rule “New things”, .*(GMT\+5:30|IST)\./);
  expect(mail?.text).toContain('Content-Type: text/plain');
  expect(mail?.text).toContain('Content-Type: text/html');
  expect(mail?.text).toContain('Forklift &lt;7&gt; was created');
  expect(mail?.text).toContain('https://whereabouts.example.com/alerts');
});

test('the email about a reported problem says of what, and what is wrong', async () => {
  await using smtp = await createMailServer();
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from } });
  const { admin, org, session } = world;
  await admin.alertRules.create({
    name: 'Problems',
    event_type: 'asset.problem_reported',
    notify: { app: true, email_user_ids: [session.userId], email_mode: 'each', endpoint_ids: [] },
  });
  const { id } = await createAsset(org, { name: 'Pump 6' });
  await admin.assetProblems.report({ asset_id: id, text: 'Leaks at the lid' });
  await smtp.waitFor(1);
  expect(smtp.mails[0]?.subject).toBe('Problem of Pump 6 reported: Leaks at the lid');
});

test('several alerts come as one digest, at the time of the rule', async () => {
  await using smtp = await createMailServer();
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from } });
  const { admin, org, session, db } = world;
  await admin.alertRules.create({
    name: 'New things',
    event_type: 'asset.created',
    notify: { app: false, email_user_ids: [session.userId], email_mode: 'daily', endpoint_ids: [] },
  });
  // At midnight the mail would be sent by itself.
  await untilWellWithin(dayMs);
  const begunMs = Date.now();
  for (const name of ['One', 'Two', 'Three']) await createAsset(org, { name });
  await expect.poll(() => db.alertEmail.count()).toBe(3);
  const [waiting] = await db.alertEmail.findMany({ take: 1 });
  expect(waiting?.dueAt.getTime()).toBeGreaterThan(begunMs);
  expect((waiting?.dueAt.getTime() ?? 1) % dayMs).toBe(0);
  // The day is over.
  await db.alertEmail.updateMany({ data: { dueAt: new Date() } });
  await db.$executeRaw`
    SELECT graphile_worker.add_job('send_alert_emails', json_build_object('org_id', ${org.orgId}::int, 'user_id', ${session.userId}::int))::text`;
  await smtp.waitFor(1);
  expect(smtp.mails[0]?.subject).toBe('One was created, and 2 more');
  for (const name of ['One', 'Two', 'Three']) expect(smtp.mails[0]?.text).toContain(`${name} was created`);
  await expect.poll(() => db.alertEmail.count()).toBe(0);
});

test('of the alerts that wait to be mailed to a person, those beyond a thousand are only in the app, also when several come at once', async () => {
  await using smtp = await createMailServer();
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from } });
  const { admin, org, session, db } = world;
  const addRule = (name: string) =>
    admin.alertRules.create({
      name,
      event_type: 'asset.created',
      notify: { app: true, email_user_ids: [session.userId], email_mode: 'daily', endpoint_ids: [] },
    });
  await addRule('First');
  // At midnight the mail would be sent by itself.
  await untilWellWithin(dayMs);
  await createAsset(org);
  await expect.poll(() => db.alertEmail.count()).toBe(1);
  await db.$executeRaw`
    INSERT INTO alert_emails (org_id, user_id, alert_id, due_at)
    SELECT org_id, user_id, alert_id, due_at FROM alert_emails CROSS JOIN generate_series(1, 998)`;
  await addRule('Second');
  await createAsset(org);
  await expect.poll(() => db.alert.count()).toBe(3);
  expect(await db.alertEmail.count()).toBe(1000);
});

test('a mail server that rejects gets the alert again later, in one mail, and no job fails', async () => {
  await using smtp = await createMailServer();
  smtp.isRefusing = true;
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from } });
  const { admin, org, session, db } = world;
  await admin.alertRules.create({
    name: 'New things',
    event_type: 'asset.created',
    notify: { app: true, email_user_ids: [session.userId], email_mode: 'each', endpoint_ids: [] },
  });
  await createAsset(org, { name: 'One' });
  /** The jobs that mail, in minutes from now, rounded up. */
  const jobs = () => db.$queryRaw<{ minutes: number; run_at: Date; attempts: number }[]>`
    SELECT ceil(extract(epoch FROM run_at - now()) / 60)::int AS minutes, run_at, attempts::int
      FROM graphile_worker.jobs WHERE task_identifier = 'send_alert_emails' AND locked_at IS NULL`;
  await expect.poll(jobs).toMatchObject([{ minutes: 5, attempts: 0 }]);
  const [first] = await jobs();
  await createAsset(org, { name: 'Two' });
  await expect.poll(() => db.alertEmail.count()).toBe(2);
  expect(await jobs()).toMatchObject([{ run_at: first?.run_at, attempts: 0 }]);
  smtp.isRefusing = false;
  await db.$executeRaw`
    SELECT graphile_worker.add_job('send_alert_emails', json_build_object('org_id', ${org.orgId}::int, 'user_id', ${session.userId}::int),
                                   job_key => ${`send_alert_emails:${org.orgId}:${session.userId}:each`})::text`;
  await smtp.waitFor(1);
  expect(smtp.mails[0]?.subject).toBe('One was created, and 1 more');
}, 60_000);
