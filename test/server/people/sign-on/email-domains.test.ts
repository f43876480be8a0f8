import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normalizedDomain } from '../../../../server/people/email-domains/domain-name.js';
import { domainMembersMax, emailDomainsMax } from '../../../../server/people/email-domains/queries.js';
import { refusalOf } from '../../../support/caller.js';
import { createNameServer, type NameServer } from '../../../support/name-server.js';
import { createSignOnWorld, type SignOnWorld } from './world.js';

let dns: NameServer;
let world: SignOnWorld;

beforeAll(async () => {
  dns = await createNameServer();
  world = await createSignOnWorld({ nameServers: [dns.address] });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});

let domainsMade = 0;

/** A domain that no other test uses. */
function freshDomain(): string {
  domainsMade += 1;
  return `acme-${domainsMade}.example`;
}

type Admin = SignOnWorld['admin'];

async function verified(admin: Admin, role?: 'viewer' | 'operator' | 'manager'): Promise<string> {
  const domain = freshDomain();
  const { record_name, record_value } = await admin.emailDomains.add({ domain, ...(role && { role }) });
  dns.records.set(record_name, ['v=spf1 -all', record_value]);
  expect(await admin.emailDomains.verify({ domain })).toMatchObject({ verified_at: expect.stringMatching(/Z$/) });
  return domain;
}

/** A person known to the provider, with an address of a domain. */
function person(domain: string, claims: object = {}): string {
  const subject = crypto.randomUUID();
  world.idp.people.set(subject, { email: `${subject}@${domain}`, email_verified: true, name: 'Ada', ...claims });
  return subject;
}

const refusedEntry = { type: 'forbidden', detail: expect.stringContaining('Nobody has an account with the address') };

describe('a verified domain', () => {
  it('makes its people members at their first sign-on, with the least role unless said otherwise', async () => {
    for (const role of [undefined, 'operator'] as const) {
      const subject = person(await verified(world.admin, role));
      const { data } = await world.signOn(subject);
      expect(data).toMatchObject({ kind: 'entered', organization: { id: world.orgId, role: role ?? 'viewer' } });
    }
    const entries = await world.admin.activity.list({ kind: 'member' });
    expect(entries.data[0]).toMatchObject({ action: 'created', after: { role: 'operator' } });
  });

  it('counts for verified addresses of exactly this domain', async () => {
    const domain = await verified(world.admin);
    const refusal = (subject: string) => world.signOn(subject).then(({ error }) => error);
    expect(await refusal(person(domain, { email_verified: false }))).toMatchObject({ type: 'forbidden' });
    for (const other of [`sub.${domain}`, `not-${domain}`, `${domain}.evil.example`]) {
      expect(await refusal(person(other)), other).toMatchObject(refusedEntry);
    }
    const upper = person(domain);
    world.idp.people.set(upper, { email: `Ada@${domain.toUpperCase()}`, email_verified: true });
    expect((await world.signOn(upper)).data).toMatchObject({ kind: 'entered' });
  });

  it('does not bring back who was removed, and makes members of people who have an account', async () => {
    const domain = await verified(world.admin);
    const subject = person(domain);
    const { data } = await world.signOn(subject);
    await world.admin.members.remove({ user_id: data.user.id });
    expect((await world.signOn(subject)).error).toMatchObject({ type: 'forbidden' });
    const email = `old@${domain}`;
    await world.db.user.create({ data: { email, name: 'Old' } });
    const old = await world.signOn(person(domain, { email }));
    expect(old.data).toMatchObject({ kind: 'entered', organization: { id: world.orgId, role: 'viewer' } });
  });

  it('gives nothing to an account that somebody made for an address of it, until its owner proves the address', async () => {
    const domain = await verified(world.admin);
    const email = `taken@${domain}`;
    await world.db.user.create({ data: { email, name: 'Eve', passwordHash: 'none' } });
    const browser = world.browser();
    const subject = person(domain, { email });
    expect((await world.signOn(subject, { browser })).data).toMatchObject({ kind: 'password_required' });
    const { data } = await browser.call('session.confirmSignOn', {});
    expect(data).toMatchObject({ kind: 'entered', organization: { id: world.orgId, role: 'viewer' } });
  });

  it('belongs to one organization, also when two verify it at once', async () => {
    const other = await world.addOrganization('Other');
    const domain = freshDomain();
    const claims = [world.admin, other.admin].map(async (admin) => {
      const { record_name, record_value } = await admin.emailDomains.add({ domain });
      dns.records.set(record_name, [...(dns.records.get(record_name) ?? []), record_value]);
    });
    await Promise.all(claims);
    const results = await Promise.allSettled(
      [world.admin, other.admin].map((admin) => admin.emailDomains.verify({ domain })),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { type: 'conflict' } });
    const [row, ...more] = await world.db.emailDomain.findMany({ where: { domain, verifiedAt: { not: null } } });
    expect(more).toEqual([]);
    const { data } = await world.signOn(person(domain));
    expect(data.organization).toMatchObject({ id: row?.orgId });
  });

  it('ends when it is removed', async () => {
    const domain = await verified(world.admin);
    await world.admin.emailDomains.remove({ domain });
    expect((await world.signOn(person(domain))).error).toMatchObject(refusedEntry);
    expect(await refusalOf(world.admin.emailDomains.remove({ domain }))).toMatchObject({ type: 'not_found' });
  });

  it('adds nobody to an organization with the maximum of members', async () => {
    const { orgId, admin } = await world.addOrganization('Other');
    const domain = await verified(admin);
    await world.db.$executeRaw`
      WITH added AS (
        INSERT INTO users (email, name)
        SELECT 'crowd-' || n || '@example.com', 'Crowd' FROM generate_series(1, ${domainMembersMax}::int) AS n
        RETURNING id
      )
      INSERT INTO memberships (org_id, user_id, role) SELECT ${orgId}::int, id, 'viewer' FROM added`;
    const { error } = await world.signOn(person(domain));
    expect(error).toMatchObject({ type: 'forbidden', detail: expect.stringContaining('too many members') });
  });
});

describe('a claim of a domain', () => {
  it('gives nothing before it is verified by the record of this claim', async () => {
    const domain = freshDomain();
    const { record_name, record_value } = await world.admin.emailDomains.add({ domain });
    expect(record_name).toBe(`_whereabouts.${domain}`);
    expect((await world.signOn(person(domain))).error).toMatchObject(refusedEntry);
    const refused = { type: 'conflict', detail: expect.stringContaining('The DNS record was not found') };
    expect(await refusalOf(world.admin.emailDomains.verify({ domain }))).toMatchObject(refused);
    dns.records.set(record_name, [`${record_value}x`]);
    expect(await refusalOf(world.admin.emailDomains.verify({ domain }))).toMatchObject(refused);
    // A record of an earlier claim proves nothing for a later one.
    dns.records.set(record_name, [record_value]);
    await world.admin.emailDomains.remove({ domain });
    await world.admin.emailDomains.add({ domain });
    expect(await refusalOf(world.admin.emailDomains.verify({ domain }))).toMatchObject(refused);
    dns.isBroken = true;
    expect(await refusalOf(world.admin.emailDomains.verify({ domain }))).toMatchObject({ type: 'service_unavailable' });
    dns.isBroken = false;
  });

  it('is rejected for public mail services, for what is no domain, and for administrators', async () => {
    const { admin } = await world.addOrganization('Other');
    for (const domain of ['gmail.com', ' @Outlook.com ', 'localhost', 'a b.com', '10.0.0.1', 'x'.repeat(64) + '.com']) {
      const refusal = await refusalOf(admin.emailDomains.add({ domain }));
      expect(refusal, domain).toMatchObject({ type: 'validation_error', fields: [{ field: 'domain' }] });
    }
    const role = 'admin' as 'manager';
    expect(await refusalOf(admin.emailDomains.add({ domain: 'acme.example', role }))).toMatchObject({
      fields: [{ field: 'role', code: 'invalid_value' }],
    });
    expect(normalizedDomain('@Bücher.Example')).toBe('xn--bcher-kva.example');
  });

  it('is listed with its record, changed, logged, and bounded', async () => {
    const { admin, orgId } = await world.addOrganization('Other');
    for (let no = 0; no < emailDomainsMax; no += 1) await admin.emailDomains.add({ domain: `d${no}.example` });
    expect(await refusalOf(admin.emailDomains.add({ domain: 'more.example' }))).toMatchObject({ type: 'conflict' });
    await admin.emailDomains.remove({ domain: 'd1.example' });
    expect(await refusalOf(admin.emailDomains.add({ domain: 'D2.example' }))).toMatchObject({ type: 'conflict' });
    expect(await admin.emailDomains.setRole({ domain: 'd2.example', role: 'manager' })).toMatchObject({
      role: 'manager',
    });
    const { data } = await admin.emailDomains.list();
    expect(data).toHaveLength(emailDomainsMax - 1);
    expect(data[0]).toEqual({
      domain: 'd0.example',
      role: 'viewer',
      created_at: expect.any(String),
      verified_at: null,
      record_name: '_whereabouts.d0.example',
      record_value: expect.stringMatching(/^whereabouts-verification=[\w-]{43}$/),
    });
    const entries = await admin.activity.list({ kind: 'email_domain' });
    expect(entries.data.slice(0, 2)).toMatchObject([
      { action: 'updated', object_name: 'd2.example', before: { role: 'viewer' }, after: { role: 'manager' } },
      { action: 'deleted', object_name: 'd1.example' },
    ]);
    expect(await world.db.emailDomain.count({ where: { orgId } })).toBe(emailDomainsMax - 1);
  });

  it('is of its own organization', async () => {
    const { admin } = await world.addOrganization('Other');
    const domain = await verified(admin);
    const foreign = world.admin.emailDomains;
    const calls = [
      () => foreign.verify({ domain }),
      () => foreign.remove({ domain }),
      () => foreign.setRole({ domain, role: 'viewer' }),
    ];
    for (const call of calls) expect(await refusalOf(call())).toMatchObject({ type: 'not_found' });
  });
});
