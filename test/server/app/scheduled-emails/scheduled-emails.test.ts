import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Prisma } from '../../../../generated/prisma/client.js';
import { claimEmail, queueDue } from '../../../../server/app/scheduled-emails/delivery-queries.js';
import { nextOccurrence } from '../../../../server/app/scheduled-emails/occurrence.js';
import type { Timing } from '../../../../server/app/scheduled-emails/schemas.js';
import { createScheduledEmailTasks } from '../../../../server/app/scheduled-emails/send.js';
import type { Role } from '../../../../server/people/auth/scopes.js';
import { createMailer, type Mailer } from '../../../../server/people/mail/mailer.js';
import { createAlertingWorld } from '../../../support/alerting-world.js';
import {
  addMember,
  addOrganization,
  authSecret,
  createCaller,
  createServicesWorld,
  refusalOf,
  type ServicesWorld,
} from '../../../support/caller.js';
import { createMailServer, type MailServer, type ReceivedMail } from '../../../support/mail-server.js';

const baseUrl = 'https://whereabouts.example.com';
const byteOrderMark = '\uFEFF';
const from = 'mail@example.com';

let smtp: MailServer;
let mailer: Mailer;
let world: ServicesWorld;
/** Sends an email as a process of the service does. */
let send: (id: number) => Promise<void>;

beforeAll(async () => {
  smtp = await createMailServer();
  const mail = { smtpUrl: smtp.url, from };
  world = await createServicesWorld({ settings: { mail, baseUrl, authSecret } });
  mailer = createMailer(mail);
  const { db, services } = world;
  const tasks = createScheduledEmailTasks({
    db,
    mailer,
    settings: services.settings,
    log: services.log,
    contextFor: (caller) => ({ ...caller, services }),
  });
  send = async (id) => tasks['send_scheduled_email']?.({ id }, new AbortController().signal);
});

afterAll(async () => {
  mailer.close();
  await world[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

beforeEach(() => {
  smtp.mails.length = 0;
  smtp.isRefusing = false;
});

const daily = { frequency: 'daily', hour: 7, time_zone: 'Europe/Berlin', format: 'csv' } as const;

type Caller = ReturnType<typeof createCaller>;

/** A person with a role in an organization, a new one by default, and its administrator. */
async function createPerson(given: { orgId?: number; role?: Role } = {}) {
  const { orgId = await addOrganization(world), role = 'viewer' } = given;
  const member = await addMember(world, orgId, role);
  const admin = await addMember(world, orgId, 'admin');
  return {
    orgId,
    userId: member.userId,
    email: member.email,
    person: createCaller(world.services, member.actor),
    admin: createCaller(world.services, admin.actor),
  };
}

/** Schedules emails of a view. */
async function schedule(
  person: Caller,
  { query = '', format = 'csv' }: { query?: string; format?: 'csv' | 'xlsx' } = {},
): Promise<number> {
  const view = await person.savedViews.create({ name: `Pumps ${query}`.trim(), query, columns: [], is_shared: false });
  return (await person.scheduledEmails.create({ ...daily, format, view_id: view.id })).id;
}

async function makeDue(id: number): Promise<void> {
  await world.db.$executeRaw`UPDATE scheduled_emails SET due_at = now() - interval '1 second' WHERE id = ${id}`;
}

/** Sends an email whose time has come, and returns it. */
async function mailed(id: number): Promise<ReceivedMail | undefined> {
  const before = smtp.mails.length;
  await makeDue(id);
  await send(id);
  return smtp.mails[before];
}

const rowOf = (id: number) => world.db.scheduledEmail.findUniqueOrThrow({ where: { id } });

function attachmentOf(mail: ReceivedMail | undefined): { name: string; bytes: Buffer } {
  const parts = mail?.text.split(/^--[^\r\n]*\r\n/m) ?? [];
  const [head = '', body = ''] = parts.find((part) => part.includes('attachment'))?.split('\r\n\r\n') ?? [];
  return { name: /filename="?([^"\r\n]+)/.exec(head)?.[1] ?? '', bytes: Buffer.from(body, 'base64') };
}

const tokenIn = (mail: ReceivedMail | undefined) => /stop-email#(\S+)/.exec(mail?.bodies.text ?? '')?.[1] ?? '';

test('a view is mailed as a workbook with what its filters match, in the language of the person', async () => {
  const { admin, person, email } = await createPerson();
  await admin.assets.create({ name: '=Pump "1"', external_key: 'P-1', metadata: { owner: 'Ward 3' } });
  await admin.assets.create({ name: 'Pump 2', external_key: 'P-2' });
  const others = await createPerson();
  await others.admin.assets.create({ name: 'Pump 3', external_key: 'P-3', metadata: { owner: 'Ward 3' } });
  await person.session.updatePreferences({
    language: 'de',
    time_zone: 'UTC',
    locale: 'de-DE',
    hour_cycle: null,
  });
  const query = 'q=pump&details=%5B%7B%22key%22%3A%22owner%22%2C%22value%22%3A%22Ward+3%22%7D%5D&unknown=1&kind_id=x';
  const id = await schedule(person, { query, format: 'xlsx' });
  expect(await person.scheduledEmails.list()).toMatchObject({
    data: [{ id, view: { name: `Pumps ${query}`, query }, report: null, is_paused: false, hour: 7 }],
    email_configured: true,
  });
  const mail = await mailed(id);
  expect(mail?.to).toEqual([email]);
  // The zone that was chosen for the email, not that of the person.
  expect(mail?.bodies.text).toMatch(/in Acme, Stand: .*(MEZ|MESZ)\.\r?\n\r?\nObjekte: 1\. .*: 1\./);
  expect(mail?.bodies.text).toMatch(/- Kein Standort\r?\n {2}Objekte: 1/);
  expect(mail?.bodies.text).toContain(`${baseUrl}/assets?${query}`);
  const { name, bytes } = attachmentOf(mail);
  expect(name).toMatch(/^assets-\d{4}-\d\d-\d\d\.xlsx$/);
  const { sheets } = await readXlsx(bytes);
  expect(sheets[0]?.rows.map((row) => row.slice(0, 2))).toEqual([
    [expect.stringMatching(/^Pumps .* in Acme, Stand: .*(MEZ|MESZ)\.$/), null],
    [null, null],
    ['Schlüssel', 'Name'],
    ['P-1', '=Pump "1"'],
  ]);
  const { dueAt, ...row } = await rowOf(id);
  expect(row).toMatchObject({ isPaused: false, tries: 0, scheduledFor: dueAt });
  expect(dueAt.getTime()).toBeGreaterThan(Date.now());
});

test('a CSV file has what an export has, and nothing that a spreadsheet would run', async () => {
  const { admin, person } = await createPerson();
  await admin.assets.create({ name: '=1+1', external_key: 'A-1', description: 'a;-2 "b"' });
  const lines = attachmentOf(await mailed(await schedule(person)))
    .bytes.toString()
    .split('\r\n');
  expect(lines).toEqual([
    `${byteOrderMark}Key,Name,Description,Active,Valid from,Valid until,Kind,Belongs to,Container,Custom details,RFID tags,BLE tags,Barcodes,Location,Location key,Last seen`,
    expect.stringMatching(/^A-1,'=1\+1,"a;'-2 ""b""",Yes,20\d\d-\d\d-\d\d \d\d:\d\d,/),
    '',
  ]);
});

test('a report is mailed about the complete days before, and stops when its asset is deleted', async () => {
  const { admin, person } = await createPerson();
  await admin.assets.create({ name: 'Pump', external_key: 'P-1' });
  const report = { kind: 'use' } as const;
  expect(await refusalOf(person.scheduledEmails.create({ ...daily, report }))).toMatchObject({
    type: 'validation_error',
  });
  expect(await refusalOf(person.scheduledEmails.create(daily))).toMatchObject({ type: 'validation_error' });

  const mailOf = async (given: Parameters<Caller['scheduledEmails']['create']>[0]['report']) => {
    const { id } = await person.scheduledEmails.create({ ...daily, ...(given && { report: given }) });
    return { id, mail: await mailed(id) };
  };
  const searchOf = (mail: ReceivedMail | undefined) =>
    new URL(/https:\S+\/reports\S+/.exec(mail?.bodies.text ?? '')?.[0] ?? '').searchParams;
  const dwell = searchOf((await mailOf({ kind: 'dwell', days: 7 })).mail);
  expect(Date.parse(dwell.get('to') ?? '') - Date.parse(dwell.get('from') ?? '')).toBe(6 * 86_400_000);
  expect(Date.parse(dwell.get('to') ?? '')).toBeLessThan(Date.now() - 20 * 3_600_000);
  expect(searchOf((await mailOf({ kind: 'flow', days: 92 })).mail).get('report')).toBe('flow');
  const inventory = searchOf((await mailOf({ kind: 'inventory' })).mail);
  expect(Math.abs(Date.parse(inventory.get('at') ?? '') - Date.now())).toBeLessThan(60_000);
  const { mail: unseen } = await mailOf({ kind: 'unseen', days: 3 });
  expect(searchOf(unseen).toString()).toBe('report=unseen&days=3');
  expect(attachmentOf(unseen).bytes.toString()).toBe(
    `${byteOrderMark}Asset,Key,Last location,Last seen\r\nPump,P-1,No location,\r\n`,
  );

  const [asset] = (await person.assets.table({ sort: 'name' })).data;
  const { data: ward } = await admin.locations.create({ name: 'Ward', external_key: 'WARD' });
  await admin.assets.setBelongsTo({ asset_id: asset?.id ?? 0, belongs_to_id: ward.id });
  const { mail: missing } = await mailOf({ kind: 'missing', location_id: ward.id });
  expect(searchOf(missing).toString()).toBe(`report=missing&location_id=${ward.id}`);
  expect(attachmentOf(missing).bytes.toString()).toBe(
    `${byteOrderMark}Asset,Key,Belongs to,Kind,Location,Here since,Last seen\r\nPump,P-1,Ward,,No location,,\r\n`,
  );

  const { id, mail } = await mailOf({ kind: 'use', asset_id: asset?.id ?? 0 });
  expect(searchOf(mail).get('asset_id')).toBe(String(asset?.id));
  await admin.assets.delete({ asset_id: asset?.id ?? 0 });
  expect((await mailed(id))?.subject).toBe('Stopped: Use of an asset by location and hour');
  expect(await rowOf(id)).toMatchObject({ isPaused: true });
});

test('an hour that the clocks skip or repeat has one email, and short months have their last day', async () => {
  const next = async (timing: Timing, after: string) => {
    const [row] = await world.db.$queryRaw<[{ at: Date }]>`
      SELECT ${nextOccurrence(timing, Prisma.sql`${after}::text::timestamptz`)} AS at`;
    return row.at.toISOString().slice(0, 16);
  };
  // 2:00 does not exist on March 29, and exists twice on October 25.
  const two = { frequency: 'daily', day: 1, hour: 2, time_zone: 'Europe/Berlin' } as const;
  expect(await next(two, '2026-03-28T12:00Z')).toBe('2026-03-29T01:00');
  expect(await next(two, '2026-03-29T01:00Z')).toBe('2026-03-30T00:00');
  expect(await next(two, '2026-10-24T12:00Z')).toBe('2026-10-25T01:00');
  expect(await next(two, '2026-10-25T01:00Z')).toBe('2026-10-26T01:00');
  const last = { frequency: 'monthly', day: 31, hour: 7, time_zone: 'America/New_York' } as const;
  expect(await next(last, '2026-01-31T12:00Z')).toBe('2026-02-28T12:00');
  expect(await next(last, '2026-02-28T12:00Z')).toBe('2026-03-31T11:00');
  const monday = { frequency: 'weekly', day: 1, hour: 0, time_zone: 'America/New_York' } as const;
  expect(await next(monday, '2026-11-26T12:00Z')).toBe('2026-11-30T05:00');
});

test('two processes at once send one email', async () => {
  const { person } = await createPerson();
  const id = await schedule(person);
  await makeDue(id);
  await Promise.all([send(id), send(id), send(id)]);
  await send(id);
  expect(smtp.mails).toHaveLength(1);
});

test('an email of a process that died is sent by another when its lease ends; a second death ends the occurrence', async () => {
  const { person } = await createPerson();
  const id = await schedule(person);
  const die = async () => {
    await makeDue(id);
    expect(await claimEmail(world.db, id)).toMatchObject({ id });
  };
  await die();
  await send(id);
  expect(smtp.mails).toHaveLength(0);
  await mailed(id);
  expect(smtp.mails).toHaveLength(1);

  await die();
  await die();
  await mailed(id);
  expect(smtp.mails).toHaveLength(1);
  expect(await rowOf(id)).toMatchObject({ tries: 0, lastSentAt: expect.any(Date) });
  await mailed(id);
  expect(smtp.mails).toHaveLength(2);
});

test('what the mail server rejects is retried after a quarter of an hour, for a day', async () => {
  const { person } = await createPerson();
  const id = await schedule(person);
  await world.db.$executeRaw`UPDATE scheduled_emails SET scheduled_for = now() WHERE id = ${id}`;
  smtp.isRefusing = true;
  await mailed(id);
  const { dueAt, scheduledFor } = await rowOf(id);
  expect(dueAt.getTime() - scheduledFor.getTime()).toBeGreaterThan(14 * 60_000);
  expect(dueAt.getTime() - scheduledFor.getTime()).toBeLessThan(16 * 60_000);
  await world.db.$executeRaw`UPDATE scheduled_emails SET scheduled_for = now() - interval '25 hours' WHERE id = ${id}`;
  await mailed(id);
  const row = await rowOf(id);
  expect(row).toMatchObject({ lastSentAt: null, dueAt: row.scheduledFor });
  expect(smtp.mails).toHaveLength(0);
});

test('emails go on when nobody opens them in the app: an opened attachment cannot be seen', async () => {
  const { person } = await createPerson();
  const id = await schedule(person);
  for (let n = 0; n < 5; n += 1) expect((await mailed(id))?.subject).toMatch(/^Pumps/);
  expect(await rowOf(id)).toMatchObject({ isPaused: false });
});

test('a manager has other members get an email, who can stop it, and takes them off again', async () => {
  const { person: manager, admin, orgId, userId } = await createPerson({ role: 'manager' });
  await admin.assets.create({ name: 'Pump', external_key: 'P-1' });
  const ana = await createPerson({ orgId });
  const ben = await createPerson({ orgId });
  const outsider = await createPerson();
  const view = await manager.savedViews.create({ name: 'Pumps', query: '', columns: [], is_shared: false });
  const { id } = await manager.scheduledEmails.create({
    ...daily,
    view_id: view.id,
    user_ids: [ana.userId, ben.userId, userId, outsider.userId],
  });
  const copies = await world.db.scheduledEmail.findMany({ where: { leadId: id }, orderBy: { userId: 'asc' } });
  expect(copies.map(({ userId: of }) => of)).toEqual([ana.userId, ben.userId].toSorted((a, b) => a - b));
  const idOf = (of: number) => copies.find(({ userId: owner }) => owner === of)?.id ?? 0;

  // A private view of the manager is sent as well.
  const mail = await mailed(idOf(ana.userId));
  expect(mail?.to).toEqual([ana.email]);
  expect(mail?.bodies.text).toContain('Assets: 1. Rows in the attached file: 1.');
  const sender = (await world.db.user.findUniqueOrThrow({ where: { id: userId } })).name;
  expect(mail?.bodies.html).toContain(`because ${sender} has Whereabouts send it to you`);
  await createCaller(world.services).scheduledEmails.stop({ token: tokenIn(mail) });
  expect((await manager.scheduledEmails.list()).data).toMatchObject([
    {
      id,
      sender: null,
      recipients: expect.arrayContaining([expect.objectContaining({ user_id: ana.userId, is_paused: true })]),
    },
  ]);
  expect((await ben.person.scheduledEmails.list()).data).toMatchObject([
    { id: idOf(ben.userId), sender, recipients: [] },
  ]);

  // What somebody has stopped stays stopped.
  await manager.scheduledEmails.setRecipients({ id, user_ids: [ana.userId] });
  expect(await world.db.scheduledEmail.findMany({ where: { leadId: id } })).toMatchObject([
    { userId: ana.userId, isPaused: true },
  ]);
  const missing = { type: 'not_found', detail: 'Scheduled email not found' };
  expect(await refusalOf(admin.scheduledEmails.setRecipients({ id, user_ids: [] }))).toEqual(missing);
  const asked = ana.person.scheduledEmails.create({ ...daily, report: { kind: 'inventory' }, user_ids: [ben.userId] });
  expect(await refusalOf(asked)).toMatchObject({ type: 'forbidden' });
  await manager.scheduledEmails.delete({ id });
  expect(await world.db.scheduledEmail.count({ where: { orgId } })).toBe(0);
});

test('“Send now” sends to all who get the email and have not stopped it, once a minute', async () => {
  const { person: manager, orgId } = await createPerson({ role: 'manager' });
  const ana = await createPerson({ orgId });
  const ben = await createPerson({ orgId });
  const { id } = await manager.scheduledEmails.create({
    ...daily,
    report: { kind: 'inventory' },
    user_ids: [ana.userId, ben.userId],
  });
  const dueOf = async () =>
    (
      await world.db.scheduledEmail.findMany({ where: { orgId, dueAt: { lte: new Date() } }, orderBy: { id: 'asc' } })
    ).map(({ userId }) => userId);
  const [ofBen] = (await ben.person.scheduledEmails.list()).data;
  await ben.person.scheduledEmails.setPaused({ id: ofBen?.id ?? 0, is_paused: true });
  const missing = { type: 'not_found', detail: 'Scheduled email not found' };
  expect(await refusalOf(ana.person.scheduledEmails.sendNow({ id }))).toEqual(missing);
  await manager.scheduledEmails.sendNow({ id });
  const due = await world.db.scheduledEmail.findMany({ where: { orgId, dueAt: { lte: new Date() } } });
  expect(await dueOf()).toHaveLength(2);
  expect(await dueOf()).toContain(ana.userId);
  for (const email of due) await send(email.id);
  expect(smtp.mails).toHaveLength(2);
  expect(await refusalOf(manager.scheduledEmails.sendNow({ id }))).toMatchObject({ type: 'rate_limited' });
  await world.db
    .$executeRaw`UPDATE scheduled_emails SET last_sent_at = now() - interval '61 seconds' WHERE org_id = ${orgId}`;
  const [ofAna] = (await ana.person.scheduledEmails.list()).data;
  await ana.person.scheduledEmails.sendNow({ id: ofAna?.id ?? 0 });
  expect(await dueOf()).toEqual([ana.userId]);
});

test('without a chosen language and time zone, an email is as the person’s device shows the app', async () => {
  const { person, userId } = await createPerson();
  await person.session.noteDevice({ time_zone: 'Asia/Tokyo', language: 'de' });
  const id = await schedule(person);
  expect((await mailed(id))?.bodies.text).toMatch(/^Pumps in Acme, Stand: /);
  expect(await world.db.user.findUniqueOrThrow({ where: { id: userId } })).toMatchObject({
    deviceTimeZone: 'Asia/Tokyo',
  });
});

test('the link of an email stops it without signing in', async () => {
  const { person } = await createPerson();
  const [id, other] = [await schedule(person), await schedule(person, { query: 'q=x' })];
  const token = tokenIn(await mailed(id));
  const anonymous = createCaller(world.services);
  const changed = `${token.slice(0, -3)}${token.endsWith('AAA') ? 'BBB' : 'AAA'}`;
  expect(await refusalOf(anonymous.scheduledEmails.stop({ token: changed }))).toMatchObject({ type: 'not_found' });
  await anonymous.scheduledEmails.stop({ token });
  expect(await rowOf(id)).toMatchObject({ isPaused: true });
  expect(await rowOf(other)).toMatchObject({ isPaused: false });
  await person.scheduledEmails.delete({ id });
  await anonymous.scheduledEmails.stop({ token });
});

test('a person has their own emails, and none after leaving the organization or losing the view', async () => {
  const { person, admin, orgId, userId } = await createPerson();
  const colleague = await createPerson({ orgId });
  const id = await schedule(person);
  expect((await colleague.person.scheduledEmails.list()).data).toEqual([]);
  const missing = { type: 'not_found', detail: 'Scheduled email not found' };
  expect(await refusalOf(colleague.person.scheduledEmails.delete({ id }))).toEqual(missing);
  expect(await refusalOf(colleague.person.scheduledEmails.setPaused({ id, is_paused: true }))).toEqual(missing);
  const [view] = (await person.savedViews.list()).data;
  const stranger = (await createPerson()).person;
  for (const caller of [colleague.person, stranger]) {
    expect(await refusalOf(caller.scheduledEmails.create({ ...daily, view_id: view?.id ?? 0 }))).toMatchObject({
      type: 'not_found',
    });
  }

  const shared = await admin.savedViews.create({ name: 'All', query: '', columns: [], is_shared: true });
  const { id: ofShared } = await colleague.person.scheduledEmails.create({ ...daily, view_id: shared.id });
  expect(await mailed(ofShared)).toBeDefined();
  await admin.savedViews.delete({ id: shared.id });
  expect((await colleague.person.scheduledEmails.list()).data).toEqual([]);
  expect(await mailed(ofShared)).toBeUndefined();
  await admin.savedViews.restore({ id: shared.id });
  expect((await colleague.person.scheduledEmails.list()).data).toMatchObject([
    { id: ofShared, view: { id: shared.id } },
  ]);
  await admin.members.remove({ user_id: userId });
  expect(await world.db.scheduledEmail.count({ where: { id } })).toBe(0);
});

test('a person has 20 scheduled emails, and an organization 200, also when they are created at once', async () => {
  const { person, orgId, userId } = await createPerson();
  const report = { kind: 'inventory' } as const;
  const create = () => person.scheduledEmails.create({ ...daily, report });
  const attempts = await Promise.allSettled(Array.from({ length: 22 }, create));
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(await refusalOf(create())).toMatchObject({ detail: 'A person can have 20 scheduled emails at most' });
  const { person: colleague, userId: colleagueId } = await createPerson({ orgId });
  await world.db.$executeRaw`
    INSERT INTO scheduled_emails (org_id, user_id, report, format, frequency, day, hour, time_zone, scheduled_for, due_at)
    SELECT org_id, user_id, report, format, frequency, day, hour, time_zone, scheduled_for, due_at
      FROM scheduled_emails CROSS JOIN generate_series(1, 9) WHERE user_id = ${userId}`;
  expect(await refusalOf(colleague.scheduledEmails.create({ ...daily, report }))).toMatchObject({
    detail: 'An organization can have 200 scheduled emails at most',
  });

  // Of the emails that are due at once, an organization has two jobs.
  await world.db.$executeRaw`UPDATE scheduled_emails SET due_at = now() - interval '1 second' WHERE org_id = ${orgId}`;
  await queueDue(world.db);
  await queueDue(world.db);
  const [jobs] = await world.db.$queryRaw<[{ n: number }]>`
    SELECT count(*)::int AS n
      FROM graphile_worker._private_jobs j
      JOIN scheduled_emails s ON s.id = (j.payload ->> 'id')::int AND s.org_id = ${orgId}`;
  expect(jobs.n).toBe(2);
  expect(colleagueId).not.toBe(userId);
});

test('a file that is too large is not attached; the email has the link alone', async () => {
  const { person, orgId } = await createPerson();
  await world.db.$executeRaw`
    INSERT INTO assets (org_id, external_key, name, metadata, valid_from, created_at, updated_at)
    SELECT ${orgId}, 'L-' || n, 'Large ' || n,
           json_build_object('x', (SELECT string_agg(md5(n::text || m::text), '') FROM generate_series(1, 500) m)), now(), now(), now()
      FROM generate_series(1, 700) n`;
  for (const format of ['csv', 'xlsx'] as const) {
    const mail = await mailed(await schedule(person, { query: `q=Large&x=${format}`, format }));
    expect(mail?.bodies.text).toContain('The file is too large for an email.');
    expect(mail?.bodies.text).toContain(`${baseUrl}/assets?q=Large`);
    expect(attachmentOf(mail).bytes).toHaveLength(0);
  }
});

test('the service sends what is due by itself, and offers nothing without email', async () => {
  await using whole = await createAlertingWorld({ mail: { smtpUrl: smtp.url, from }, baseUrl });
  const { id } = await whole.admin.scheduledEmails.create({ ...daily, report: { kind: 'inventory' } });
  await whole.db.$executeRaw`UPDATE scheduled_emails SET due_at = now() WHERE id = ${id}`;
  await smtp.waitFor(1);
  expect(smtp.mails[0]?.subject).toMatch(/^Inventory, /);

  await using silent = await createAlertingWorld();
  expect(await silent.admin.scheduledEmails.list()).toEqual({ data: [], email_configured: false });
  const refusal = await refusalOf(silent.admin.scheduledEmails.create({ ...daily, report: { kind: 'inventory' } }));
  expect(refusal).toMatchObject({ type: 'conflict' });
});
