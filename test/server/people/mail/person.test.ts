import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { germanWords } from '../../../../server/people/mail/german.js';
import { instantFor, nobodyInParticular } from '../../../../server/people/mail/person.js';
import { projectRoot } from '../../../../server/kernel/project-root.js';
import { createAlertingWorld } from '../../../support/alerting-world.js';
import { createAsset, createLocation } from '../../../support/factories.js';
import { createMailServer } from '../../../support/mail-server.js';

const from = 'Whereabouts <alerts@example.com>';
const baseUrl = 'https://whereabouts.example.com';

/** The words of all mails in the source, as keys of the translations. */
function wordsInSource(): string[] {
  const folders = ['people/mail', 'notifying/alerts', 'notifying/webhooks', 'app/scheduled-emails'].map((name) =>
    path.join(projectRoot(), 'server', name),
  );
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
  const found = files.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/\bwords`((?:[^`$]|\$\{[^}]*\})*)`/g), ([, text = '']) => {
      let count = -1;
      return text.replaceAll(/\$\{[^}]*\}/g, () => `{${(count += 1)}}`);
    }),
  );
  return [...new Set(found)].filter((text) => /\p{L}/u.test(text));
}

test('every text of a mail has German words, with the same values, and no others are there', () => {
  expect(Object.keys(germanWords).toSorted()).toEqual(wordsInSource().toSorted());
  const values = (text: string) => (text.match(/\{\d\}/g) ?? []).toSorted();
  for (const [english, german] of Object.entries(germanWords)) expect(values(german)).toEqual(values(english));
});

test('instants have the zone, the language and the clock of the person', () => {
  const at = Date.parse('2026-07-04T22:30:00Z');
  expect(instantFor(nobodyInParticular, at)).toBe('Jul 4, 2026, 10:30 PM UTC');
  const inBerlin = { ...nobodyInParticular, language: 'de', time_zone: 'Europe/Berlin' } as const;
  expect(instantFor(inBerlin, at)).toBe('5. Juli 2026, 00:30 MESZ');
  expect(instantFor({ ...nobodyInParticular, time_zone: 'America/New_York', hour_cycle: 'h23' }, at)).toBe(
    'Jul 4, 2026, 18:30 EDT',
  );
});

test('alerts, links for a password and invitations are in the language and zone of the person, and link to the object', async () => {
  await using smtp = await createMailServer();
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from }, baseUrl });
  const { admin, org, session, db } = world;
  const kolkata = { time_zone: 'Asia/Kolkata', locale: null, hour_cycle: null, language: 'de' } as const;
  await admin.session.updatePreferences(kolkata);
  await admin.alertRules.create({
    name: 'Neues',
    event_type: 'asset.created',
    notify: { app: true, email_user_ids: [session.userId], email_mode: 'each', endpoint_ids: [] },
  });
  const asset = await createAsset(org, { name: 'Stapler' });
  await smtp.waitFor(1);
  expect(smtp.mails[0]?.subject).toBe('Stapler wurde angelegt');
  const [{ bodies } = { bodies: { text: '', html: '' } }] = smtp.mails;
  expect(bodies.text).toContain(`Stapler öffnen: ${baseUrl}/assets/${asset.id}`);
  expect(bodies.text).toMatch(/Regel „Neues“, .*(GMT\+5:30|IST)/);
  expect(bodies.html).toContain(`href="${baseUrl}/assets/${asset.id}"`);
  expect(bodies.html).toContain('<html lang="de">');
  const alert = (await admin.alerts.list({})).data[0];
  expect(bodies.text).toContain(`${baseUrl}/alerts/${alert?.id}`);

  // A digest links to each object.
  await admin.alertRules.create({
    name: 'Orte',
    event_type: 'location.created',
    notify: { app: true, email_user_ids: [session.userId], email_mode: 'daily', endpoint_ids: [] },
  });
  await world.interested('location.created');
  const places = [await createLocation(org, { name: 'Halle' }), await createLocation(org, { name: 'Hof' })];
  await expect.poll(() => db.alertEmail.count()).toBe(2);
  await db.alertEmail.updateMany({ data: { dueAt: new Date() } });
  await db.$executeRaw`
    SELECT graphile_worker.add_job('send_alert_emails', json_build_object('org_id', ${org.orgId}::int, 'user_id', ${session.userId}::int))::text`;
  await smtp.waitFor(2);
  expect(smtp.mails[1]?.subject).toBe('Halle wurde angelegt, und 1 weitere');
  for (const { id } of places) expect(smtp.mails[1]?.bodies.text).toContain(`${baseUrl}/locations/${id}`);

  await admin.members.invite({ role: 'viewer', email: 'new@example.com' });
  await smtp.waitFor(3);
  expect(smtp.mails[2]?.bodies.text).toContain('lädt Sie ein, in Whereabouts Mitglied von Acme zu werden');
  expect(smtp.mails[2]?.bodies.text).toContain('mit der Rolle Betrachter');
  expect(smtp.mails[2]?.bodies.text).toMatch(/GMT\+5:30|IST/);
});

test('mails about an account are in the language of its device where no language was chosen', async () => {
  await using smtp = await createMailServer();
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from }, baseUrl });
  const { admin } = world;
  await admin.session.noteDevice({ time_zone: 'Europe/Berlin', language: 'de' });
  await admin.members.invite({ role: 'viewer', email: 'new@example.com' });
  await smtp.waitFor(1);
  expect(smtp.mails[0]?.bodies.text).toContain('lädt Sie ein');
  expect(smtp.mails[0]?.bodies.text).toMatch(/MEZ|MESZ/);
});
