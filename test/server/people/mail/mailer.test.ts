import { expect, test } from 'vitest';
import { createMailer } from '../../../../server/people/mail/mailer.js';
import { createMailServer } from '../../../support/mail-server.js';

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
