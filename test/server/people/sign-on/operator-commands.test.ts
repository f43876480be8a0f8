import { expect, it } from 'vitest';
import { disconnectByOperator, verifyDomainByOperator } from '../../../../server/operations/admin/sign-on-commands.js';
import { createLog } from '../../../../server/kernel/log.js';
import { createSignOnWorld } from './world.js';

const log = createLog('silent');
const domain = 'acme.example';

it('an operator verifies a domain that an organization has added, and no other', async () => {
  await using world = await createSignOnWorld({ people: { ada: { email: `ada@${domain}`, email_verified: true } } });
  const options = { settings: { ...world.settings, databaseUrl: world.databaseUrl }, log };
  const organizationId = String(world.orgId);
  const attempt = (input: { domain: string; organizationId: string }) => verifyDomainByOperator(input, options);
  await expect(attempt({ domain, organizationId })).rejects.toThrow('has to add acme.example first');
  await expect(attempt({ domain: 'gmail.com', organizationId })).rejects.toThrow('cannot be');
  await expect(attempt({ domain, organizationId: 'Acme' })).rejects.toThrow('is not the ID');
  await world.admin.emailDomains.add({ domain });
  await attempt({ domain: 'Acme.Example', organizationId });
  await attempt({ domain, organizationId });
  expect((await world.signOn('ada')).data).toMatchObject({ kind: 'entered', organization: { role: 'viewer' } });
  const { data } = await world.admin.activity.list({ kind: 'email_domain' });
  expect(data.map(({ action, entry_point: entry }) => [action, entry])).toEqual([
    ['updated', 'system'],
    ['created', 'app'],
  ]);
  const { orgId } = await world.organization('Other');
  await world.db.emailDomain.create({ data: { orgId, domain, role: 'viewer', token: 'x' } });
  await expect(attempt({ domain, organizationId: String(orgId) })).rejects.toThrow('another organization has verified');
});

it('an operator gives the account of an address that has a new owner to that person', async () => {
  const email = `ada@${domain}`;
  const people = { old: { email, email_verified: true }, new: { email, email_verified: true } };
  await using world = await createSignOnWorld({ people });
  const options = { settings: { ...world.settings, databaseUrl: world.databaseUrl }, log };
  const { token } = await world.admin.members.invite({ role: 'viewer' });
  const first = await world.signOn('old', { start: { invitation: token } });
  expect((await world.signOn('new')).error).toMatchObject({ type: 'forbidden' });
  await expect(disconnectByOperator('nobody@acme.example', options)).rejects.toThrow('nobody has');
  expect(await disconnectByOperator(email.toUpperCase(), options)).toBe(1);
  expect(await disconnectByOperator(email, options)).toBe(0);
  expect((await world.signOn('new')).data).toMatchObject({ kind: 'entered', user: { id: first.data.user.id } });
  expect((await world.signOn('old')).error).toMatchObject({ type: 'forbidden' });
});
