import { expect, it } from 'vitest';
import type { EventType } from '../../server/notifying/events/event-types.js';
import { expectDescribed } from '../support/described-events.js';
import { nobody } from '../support/caller.js';
import { createBrokerWorld } from '../support/mqtt.js';
import { fileWorld } from '../support/shared.js';
import type { ScanOrganization } from '../support/scan-world.js';
import { send } from './devices/playing.js';

// Rules about what tags measure, from the message of a gateway to the alert.

const world = fileWorld(() => createBrokerWorld({ jobsRepeatMs: 500 }));

const macs = ['F95BC0EC4E56', 'F95BC0EC4E57'] as const;
const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60;

type Rule = { event_type: EventType; threshold?: number; limit_seconds?: number };

/** Creates a rule, and waits until ingestion knows of it. */
async function ruled(org: ScanOrganization, rule: Rule) {
  const created = await org.admin.alertRules.create({ name: 'Measured', ...rule });
  const { services } = world.core.contextFor({ actor: nobody, requestId: 'test', clientAddress: '192.0.2.1' });
  await expect.poll(() => services.eventInterests.wants(org.orgId, rule.event_type)).toBe(true);
  return created;
}

/** An organization with a tagged asset for each address, and a gateway with Theengs. */
async function measuring() {
  const org = await world.organization();
  const location_id = await org.location({ name: 'Cold room' });
  const [first = 0, second = 0] = await Promise.all(
    macs.map((value) => org.asset({ name: value, tags: [['ble', value]] })),
  );
  const reader = await org.reader({ format: 'theengs', location_id });
  const client = await world.connect(reader);
  const measure = (id: string, at: number, values: object) =>
    send(client, reader.publish_topic, { id, rssi: -70, unixtime: at, ...values });
  return { org, first, second, measure };
}

async function alertsOf(org: ScanOrganization) {
  const { data } = await org.admin.alerts.list({});
  for (const alert of data) expectDescribed({ type: alert.event_type, data: alert.data });
  return data.map(({ event_type: type, data: { asset, value, threshold }, ended_at: endedAt }) => ({
    type,
    asset: (asset as { id: number }).id,
    value,
    threshold,
    hasEnded: endedAt !== null,
  }));
}

const polled = { timeout: 40_000, interval: 100 };

it('a temperature above the limit is reported once it lasts for the time of the rule, and ends', async () => {
  const { org, first, second, measure } = await measuring();
  const rule = await ruled(org, { event_type: 'asset.temperature_high', threshold: 8, limit_seconds: 3600 });
  await world.db.$transaction(
    async (tx) => {
      // A check of the rule in between would report what has lasted by then.
      await tx.$queryRaw`SELECT 1 FROM alert_rules WHERE id = ${rule.id}::int FOR NO KEY UPDATE`;
      // The first one was cold again in between.
      await measure(macs[0], minutesAgo(120), { tempc: 9 });
      await measure(macs[0], minutesAgo(90), { tempc: 8 });
      await measure(macs[0], minutesAgo(10), { tempc: 9.5 });
      await measure(macs[1], minutesAgo(120), { tempc: 8.5 });
      await measure(macs[1], minutesAgo(20), { tempc: 9.25 });
    },
    { timeoutMs: 30_000 },
  );
  const alert = { type: 'asset.temperature_high', asset: second, value: 9.25, threshold: 8 };
  await expect.poll(() => alertsOf(org), polled).toEqual([{ ...alert, hasEnded: false }]);
  await measure(macs[1], minutesAgo(1), { tempc: 7.9 });
  await expect.poll(() => alertsOf(org), polled).toEqual([{ ...alert, hasEnded: true }]);
  expect((await org.admin.assets.telemetry({ asset_id: first })).tags).toMatchObject([
    { values: { temperature: { value: 9.5 } } },
  ]);
});

it('a battery that was low before the rule existed is reported, in the organization of the rule alone', async () => {
  const { org, second, measure } = await measuring();
  const other = await measuring();
  for (const each of [other, { measure }]) {
    await each.measure(macs[0], minutesAgo(30), { batt: 20 });
    await each.measure(macs[1], minutesAgo(30), { batt: 19 });
  }
  await ruled(other.org, { event_type: 'asset.temperature_low', threshold: 50, limit_seconds: 60 });
  const rule = await ruled(org, { event_type: 'asset.battery_low', threshold: 20, limit_seconds: 60 });
  const alert = { type: 'asset.battery_low', asset: second, value: 19, threshold: 20 };
  await expect.poll(() => alertsOf(org), polled).toEqual([{ ...alert, hasEnded: false }]);
  expect(await alertsOf(other.org)).toEqual([]);
  expect(await world.db.telemetryBreach.count({ where: { ruleId: rule.id } })).toBe(1);
  // With a changed rule everything is compared again.
  const { id, created_at: _created, updated_at: _updated, ...unchanged } = rule;
  await org.admin.alertRules.update({ id, ...unchanged, threshold: 10 });
  await expect.poll(() => alertsOf(org), polled).toEqual([{ ...alert, hasEnded: true }]);
  await org.admin.alertRules.delete({ id });
  expect(await world.db.telemetryBreach.count({ where: { orgId: org.orgId } })).toBe(0);
});

it('the preview of a rule counts the violations of the last days that lasted', async () => {
  const { org, first, second, measure } = await measuring();
  const stranger = await measuring();
  const hours = async (id: string, values: readonly number[], { measure: send } = { measure }) => {
    for (const [index, tempc] of values.entries()) await send(id, minutesAgo(60 * (values.length - index)), { tempc });
  };
  await hours(macs[0], [5, 9, 9.5, 9, 5, 9, 5, 9, 9, 9]);
  await hours(macs[1], [9, 9, 5, 5]);
  await hours(macs[0], [9, 9, 9, 9], stranger);
  // Too warm for longer than the days of the preview.
  const since = (days: number) => new Date(Math.floor((Date.now() - days * 86_400_000) / 3_600_000) * 3_600_000);
  const third = await org.asset({ tags: [['ble', 'F95BC0EC4E58']] });
  await measure('F95BC0EC4E58', minutesAgo(5), { tempc: 9 });
  const { tags } = await org.admin.assets.telemetry({ asset_id: third });
  await world.db.tagTelemetryHour.createMany({
    data: [9, 8, 6, 5].map((days) => ({
      orgId: org.orgId,
      tagId: tags[0]?.tag_id ?? 0,
      hour: since(days),
      temperature: 9,
    })),
  });
  const preview = (rule: Rule) => org.admin.alertRules.preview({ name: 'Measured', ...rule });
  const warm = await preview({ event_type: 'asset.temperature_high', threshold: 8, limit_seconds: 7200 });
  expect(warm).toMatchObject({ days: 7, count: 2, is_at_least: true });
  expect(warm.examples.map(({ data }) => data)).toMatchObject([
    { asset: { id: first }, value: 9, threshold: 8 },
    { asset: { id: first }, value: 9, threshold: 8 },
  ]);
  const short = await preview({ event_type: 'asset.temperature_high', threshold: 8, limit_seconds: 3600 });
  expect(short.examples.map(({ data }) => (data['asset'] as { id: number }).id)).toContain(second);
  const cold = await preview({ event_type: 'asset.temperature_low', threshold: 6, limit_seconds: 3600 });
  expect(cold).toMatchObject({ count: 1, examples: [{ data: { asset: { id: second }, value: 5 } }] });
  expect(await preview({ event_type: 'asset.button_pressed' })).toMatchObject({ count: null });
});

it('each press of a button is reported once', async () => {
  const { org, first, measure } = await measuring();
  await ruled(org, { event_type: 'asset.button_pressed' });
  const at = minutesAgo(5);
  const press = { type: 'asset.button_pressed', asset: first, hasEnded: false };
  await measure(macs[0], at, { button: 1 });
  // The same message again, the tag's repetition of the press, and a message that says that nothing is pressed.
  await measure(macs[0], at, { button: 1 });
  await measure(macs[0], at + 2, { button: 1, batt: 60 });
  await measure(macs[0], at + 60, { button: 0, batt: 50 });
  await measure(macs[0], at + 90, { button: 4 });
  await expect.poll(() => alertsOf(org), polled).toMatchObject([press, press]);
  const { data } = await org.admin.alerts.list({});
  expect(data.map(({ data: event }) => Number(event['press'])).toSorted((one, other) => one - other)).toEqual([1, 4]);
  expect(data[0]?.data).toMatchObject({ value: macs[0], tag_type: 'ble', location: { name: 'Cold room' } });
});

it.each<[Rule, RegExp]>([
  [{ event_type: 'asset.battery_low', limit_seconds: 60 }, /"threshold"[^]*"required"/],
  [{ event_type: 'asset.battery_low', threshold: 0, limit_seconds: 60 }, /"threshold"[^]*"invalid_value"/],
  [{ event_type: 'asset.temperature_low', threshold: -18 }, /"limit_seconds"[^]*"required"/],
  [{ event_type: 'asset.button_pressed', threshold: 5 }, /"threshold"[^]*"invalid_context"/],
])('a rule needs its threshold: %o', async (rule, problem) => {
  const org = await world.organization();
  await expect(org.admin.alertRules.create({ name: 'Measured', ...rule })).rejects.toThrow(problem);
});
