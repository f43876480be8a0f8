import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Role } from '../../../../server/people/auth/scopes.js';
import { roleIncludes, roles } from '../../../../server/people/auth/scopes.js';
import { type AlertingWorld, sharedAlertingWorld } from '../../../support/alerting-world.js';
import { expectDescribed } from '../../../support/described-events.js';
import { refusalOf } from '../../../support/caller.js';
import { addSession, createAsset, createLocation } from '../../../support/factories.js';
import { pollOptions } from '../../../support/poll-options.js';

const world = await sharedAlertingWorld();
let ids: { rule: number; endpoint: number; delivery: number; alert: number; asset: number; location: number };

beforeAll(async () => {
  const { org, admin } = world;
  const endpoint = await world.endpoint();
  const location = await createLocation(org);
  const rule = await admin.alertRules.create({ name: 'New assets', event_type: 'asset.created' });
  const asset = await createAsset(org);
  const { delivery_id: delivery } = await admin.webhooks.sendTest({ id: endpoint.id });
  await world.receiver.waitFor(1);
  for (const { body } of world.receiver.received) expectDescribed(body);
  const alert = await vi.waitFor(async () => {
    const [first] = (await admin.alerts.list()).data;
    if (!first) throw new Error('no alert yet');
    return first.id;
  }, pollOptions);
  ids = { rule: rule.id, endpoint: endpoint.id, delivery, alert, asset: asset.id, location: location.id };
});

afterAll(() => world[Symbol.asyncDispose]());

type Caller = AlertingWorld['admin'];
type Procedure = {
  name: string;
  role: Role;
  call: (caller: Caller) => Promise<unknown>;
  /** What somebody of another organization gets for an id of this one. */
  foreign?: 'not_found' | 'validation_error';
};

const ruleOf = (more: object = {}) => ({ name: 'Rule', event_type: 'asset.created' as const, ...more });

// The destructive ones last, as the administrator's call of each succeeds.
const procedures: Procedure[] = [
  { name: 'alerts.list', role: 'viewer', call: (caller) => caller.alerts.list() },
  { name: 'alerts.openCount', role: 'viewer', call: (caller) => caller.alerts.openCount() },
  { name: 'alerts.acknowledge', role: 'operator', call: (caller) => caller.alerts.acknowledge({ ids: [ids.alert] }) },
  { name: 'alertRules.list', role: 'manager', call: (caller) => caller.alertRules.list() },
  { name: 'alertRules.options', role: 'manager', call: (caller) => caller.alertRules.options() },
  { name: 'alertRules.preview', role: 'manager', call: (caller) => caller.alertRules.preview(ruleOf()) },
  {
    name: 'alertRules.get',
    role: 'manager',
    foreign: 'not_found',
    call: (caller) => caller.alertRules.get({ id: ids.rule }),
  },
  {
    name: 'alertRules.update',
    role: 'manager',
    foreign: 'not_found',
    call: (caller) => caller.alertRules.update({ id: ids.rule, ...ruleOf() }),
  },
  {
    name: 'alertRules.setEnabled',
    role: 'manager',
    foreign: 'not_found',
    call: (caller) => caller.alertRules.setEnabled({ id: ids.rule, is_enabled: true }),
  },
  {
    name: 'alertRules.create with an endpoint',
    role: 'manager',
    foreign: 'validation_error',
    call: (caller) =>
      caller.alertRules.create(
        ruleOf({ notify: { app: true, email_user_ids: [], email_mode: 'each', endpoint_ids: [ids.endpoint] } }),
      ),
  },
  {
    name: 'alertRules.create with an asset',
    role: 'manager',
    foreign: 'validation_error',
    call: (caller) => caller.alertRules.create(ruleOf({ assets: { kind: 'chosen', ids: [ids.asset] } })),
  },
  {
    name: 'alertRules.create with a location',
    role: 'manager',
    foreign: 'validation_error',
    call: (caller) =>
      caller.alertRules.create(
        ruleOf({ locations: { kind: 'chosen', ids: [ids.location], include_sublocations: true } }),
      ),
  },
  {
    name: 'alertRules.create with a member',
    role: 'manager',
    foreign: 'validation_error',
    call: (caller) =>
      caller.alertRules.create(
        ruleOf({
          notify: { app: true, email_user_ids: [world.session.userId], email_mode: 'each', endpoint_ids: [] },
        }),
      ),
  },
  { name: 'webhooks.list', role: 'admin', call: (caller) => caller.webhooks.list() },
  {
    name: 'webhooks.create',
    role: 'admin',
    call: (caller) => caller.webhooks.create({ name: 'More', url: 'https://example.com/hook' }),
  },
  {
    name: 'webhooks.update',
    role: 'admin',
    foreign: 'not_found',
    call: (caller) => caller.webhooks.update({ id: ids.endpoint, name: 'Other' }),
  },
  {
    name: 'webhooks.sendTest',
    role: 'admin',
    foreign: 'not_found',
    call: (caller) => caller.webhooks.sendTest({ id: ids.endpoint }),
  },
  {
    name: 'webhooks.deliveries',
    role: 'admin',
    call: (caller) => caller.webhooks.deliveries({ endpoint_id: ids.endpoint }),
  },
  {
    name: 'webhooks.delivery',
    role: 'admin',
    foreign: 'not_found',
    call: (caller) => caller.webhooks.delivery({ id: ids.delivery }),
  },
  {
    name: 'webhooks.resend',
    role: 'admin',
    foreign: 'not_found',
    call: (caller) => caller.webhooks.resend({ id: ids.delivery }),
  },
  {
    name: 'webhooks.rotateSecret',
    role: 'admin',
    foreign: 'not_found',
    call: (caller) => caller.webhooks.rotateSecret({ id: ids.endpoint }),
  },
  {
    name: 'alertRules.delete',
    role: 'manager',
    foreign: 'not_found',
    call: (caller) => caller.alertRules.delete({ id: ids.rule }),
  },
  {
    name: 'alertRules.restore',
    role: 'manager',
    foreign: 'not_found',
    call: (caller) => caller.alertRules.restore({ id: ids.rule }),
  },
  {
    name: 'webhooks.delete',
    role: 'admin',
    foreign: 'not_found',
    call: (caller) => caller.webhooks.delete({ id: ids.endpoint }),
  },
  {
    name: 'webhooks.restore',
    role: 'admin',
    foreign: 'not_found',
    call: (caller) => caller.webhooks.restore({ id: ids.endpoint }),
  },
];

test.each(procedures)(
  '$name is for the role $role and above, in its own organization',
  async ({ role, call, foreign }) => {
    for (const own of roles.filter((candidate) => !roleIncludes(candidate, role))) {
      const caller = await world.as(await addSession(world, world.org.orgId, own));
      expect(await refusalOf(call(caller)), own).toMatchObject({ type: 'forbidden' });
    }
    const other = await world.organization('Others');
    const outsider = await world.as(await addSession(world, other.orgId, 'admin'));
    const before = await stateOf();
    if (foreign) expect(await refusalOf(call(outsider))).toMatchObject({ type: foreign });
    else await call(outsider);
    expect(await stateOf()).toEqual(before);
    await call(await world.as(await addSession(world, world.org.orgId, role)));
  },
);

/** The organization's rules, endpoints and alerts, which nobody else can change. */
async function stateOf() {
  const where = { where: { orgId: world.org.orgId }, orderBy: { id: 'asc' as const } };
  const { db } = world;
  const rules = await db.alertRule.findMany(where);
  const endpoints = await db.webhookEndpoint.findMany({ ...where, select: { id: true, name: true, secret: true } });
  const alerts = await db.alert.findMany({ ...where, select: { id: true, acknowledgedAt: true } });
  return JSON.stringify({ rules, endpoints, alerts }, (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
}

test('lists and counts show nothing of another organization', async () => {
  const other = await world.organization('Empty');
  const outsider = await world.as(await addSession(world, other.orgId, 'admin'));
  expect((await outsider.alerts.list()).data).toEqual([]);
  expect(await outsider.alerts.openCount()).toEqual({ count: 0, is_more: false });
  expect((await outsider.alertRules.list()).data).toEqual([]);
  expect(await outsider.alertRules.options()).toMatchObject({ endpoints: [], members: [{ name: 'admin' }] });
  expect((await outsider.webhooks.list()).data).toEqual([]);
  expect((await outsider.webhooks.deliveries({ endpoint_id: ids.endpoint })).data).toEqual([]);
  expect(await outsider.alerts.acknowledge({ ids: [ids.alert] })).toEqual({ acknowledged: 0 });
});

test('managers, who do not see the list of members, see the names of recipients and no addresses', async () => {
  const manager = await world.as(await addSession(world, world.org.orgId, 'manager'));
  const addresses = async (caller: Caller) => (await caller.alertRules.options()).members.map(({ email }) => email);
  expect(await refusalOf(manager.members.list())).toMatchObject({ type: 'forbidden' });
  expect(new Set(await addresses(manager))).toEqual(new Set([null]));
  expect(await addresses(world.admin)).not.toContain(null);
});
