import { expect, test } from 'vitest';
import { createAlertingWorld } from '../../../support/alerting-world.js';
import { createMailServer } from '../../../support/mail-server.js';

const from = 'Whereabouts <alerts@example.com>';
const baseUrl = 'https://whereabouts.example.com';

test('an invitation for an address is mailed to it, with the link, the role and who invites', async () => {
  await using smtp = await createMailServer();
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from }, baseUrl });
  const invitation = await world.admin.members.invite({ role: 'operator', email: 'ben@example.com' });
  expect(invitation.email_status).toBe('sent');
  const [mail] = smtp.mails;
  expect(mail?.to).toEqual(['ben@example.com']);
  expect(mail?.subject).toBe('admin invites you to Acme in Whereabouts');
  const url = /https:\/\/whereabouts\.example\.com\/join#[\w-]{43}/.exec(mail?.bodies.text ?? '')?.[0] ?? 'none';
  // The administrator, who sees the other link, has not proven that the address is theirs.
  expect(url).not.toContain(invitation.token);
  const token = url.split('#')[1] ?? '';
  expect(await world.admin.session.invitation({ token })).toMatchObject({ role: 'operator', email: 'ben@example.com' });
  expect(mail?.bodies.text).toContain('with the role operator');
  expect(mail?.bodies.html).toContain(`href="${url}"`);
});

test('an invitation for nobody in particular is not mailed', async () => {
  await using smtp = await createMailServer();
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from }, baseUrl });
  expect((await world.admin.members.invite({ role: 'viewer' })).email_status).toBeNull();
  expect(smtp.mails).toEqual([]);
});

test('the link works where the mail server rejects the mail', async () => {
  await using smtp = await createMailServer();
  smtp.isRefusing = true;
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from } });
  const invitation = await world.admin.members.invite({ role: 'viewer', email: 'ben@example.com' });
  expect(invitation.email_status).toBe('failed');
  const offer = await world.admin.session.invitation({ token: invitation.token });
  expect(offer).toMatchObject({ email: 'ben@example.com', role: 'viewer' });
});

test('an organization mails at most 100 invitations a day', async () => {
  await using smtp = await createMailServer();
  await using world = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from } });
  const { db, org, session } = world;
  await db.$executeRaw`
    INSERT INTO invitations (org_id, token_hash, role, email, invited_by, created_at, expires_at)
    SELECT ${org.orgId}::int, md5(n::text), 'viewer', n || '@example.com', ${session.userId}::int, now(), now()
      FROM generate_series(1, 99) AS n`;
  expect((await world.admin.members.invite({ role: 'viewer', email: 'a@example.com' })).email_status).toBe('sent');
  const over = await world.admin.members.invite({ role: 'viewer', email: 'b@example.com' });
  expect(over.email_status).toBe('limit_reached');
  expect(smtp.mails).toHaveLength(1);
});
