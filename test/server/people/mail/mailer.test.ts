import { expect, test } from 'vitest';
import { readSettings } from '../../../../server/kernel/settings.js';
import { createMailer } from '../../../../server/people/mail/mailer.js';
import { createMailServer } from '../../../support/mail-server.js';

test.each([
  [{ BASE_URL: 'https://whereabouts.example.com' }, 'whereabouts.example.com'],
  [{ BASE_URL: 'http://whereabouts:3000' }, 'mail.example.com'],
  [{ BASE_URL: 'http://192.0.2.1:3000' }, 'mail.example.com'],
  [{}, 'mail.example.com'],
])('with %j mail servers are greeted as %s', async (env, name) => {
  await using smtp = await createMailServer();
  const from = 'Alerts at work <alerts@mail.example.com>';
  const { mail } = readSettings({ SMTP_URL: smtp.url, MAIL_FROM: from, ...env });
  if (!mail) throw new Error('email is off');
  const mailer = createMailer(mail);
  await mailer.send({ to: 'a@example.com', subject: 'x', text: 'x', html: '<p>x</p>' });
  mailer.close();
  expect(smtp.mails[0]?.greeting).toBe(name);
});

test.each([
  ['Acme: Alerts <alerts@example.com>', '"Acme: Alerts" <alerts@example.com>'],
  ['"Acme, Inc." <alerts@example.com>', '"Acme, Inc." <alerts@example.com>'],
  ['alerts@example.com', 'alerts@example.com'],
])('the sender %s is in one address', async (from, header) => {
  await using smtp = await createMailServer();
  const mailer = createMailer({ smtpUrl: smtp.url, from });
  await mailer.send({ to: 'a@example.com', subject: 'x', text: 'x', html: '<p>x</p>' });
  mailer.close();
  expect(smtp.mails[0]?.text).toContain(`From: ${header}\r\n`);
});
