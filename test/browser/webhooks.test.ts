import { expect, test } from 'vitest';
import { fileWorld } from '../support/shared.js';
import { createReceiver } from '../support/webhook-receiver.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { createBrowserWorld } from './support/world.js';

const world = fileWorld(createBrowserWorld);

test('an administrator adds a webhook, tests it, rotates its secret, sees why it was disabled, and sends again', async () => {
  await using receiver = await createReceiver();
  receiver.answer = () => ({ status: 200, body: 'Thank you' });
  await using person = await world.person();
  const { page } = person;
  await page.goto('/alerts/webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('link', { name: 'New webhook' }).first().click();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('Enter a name').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('ERP');
  person.problems.allow(/status of 400 .*webhooks\.create/);
  await page.getByRole('textbox', { name: 'Address' }).fill('ftp://example.com');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('Enter a web address, such as https://example.com/events').waitFor();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
  await page.getByLabel('An asset is created').check();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByRole('heading', { name: 'Webhook created' }).waitFor();
  const first = (await page.getByLabel('Signing secret', { exact: true }).textContent()) ?? '';
  expect(first).toMatch(/^whsec_/);
  receiver.secret = first;
  await expectAccessible(page);
  // The list that the browser has is from before.
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    void page.route(/webhooks\.list/, async (route) => {
      await new Promise<void>((done) => {
        answer = done;
        resolve();
      });
      await route.continue();
    });
  });
  await page.getByRole('link', { name: 'Continue' }).click();
  await isAsked;
  await page.getByRole('heading', { level: 1, name: 'Webhook', exact: true }).waitFor();
  answer();
  await page.getByRole('heading', { level: 1, name: 'ERP' }).waitFor();
  await page.unroute(/webhooks\.list/);

  await page.getByRole('button', { name: 'Send test event' }).click();
  const test = page.getByRole('row').filter({ hasText: 'webhook.test' });
  await test.getByText('Delivered').waitFor();
  await test.getByText('1 attempt, status 200').waitFor();
  await person.picture('webhook');
  await test.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Delivery' });
  await details.getByText('Thank you').waitFor();
  await details.getByText('This is a test event.').waitFor();
  await details.getByText(receiver.received[0]?.id ?? 'none').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await test.getByRole('button', { name: 'Send again' }).click();
  await receiver.waitFor(2);
  expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'New signing secret' });
  const second = (await dialog.getByLabel('Signing secret', { exact: true }).textContent()) ?? '';
  expect(second).toMatch(/^whsec_/);
  expect(second).not.toBe(first);
  // The secret is shown once, so it does not vanish by accident.
  await page.keyboard.press('Escape');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Requests are also signed with the previous secret.').waitFor();
  for (const secret of [first, second]) {
    receiver.secret = secret;
    const count = receiver.received.length;
    await page.getByRole('button', { name: 'Send test event' }).click();
    await receiver.waitFor(count + 1);
  }

  receiver.answer = () => ({ status: 410 });
  await person.organization.asset({ name: 'Forklift' });
  await receiver.waitFor(5);
  await page.goto('/alerts/webhooks');
  const row = page.getByRole('row').filter({ hasText: 'ERP' });
  await row.getByText('Disabled').waitFor();
  await row.getByRole('link', { name: 'ERP' }).click();
  await page.getByText('The endpoint answered 410 Gone').waitFor();
  const created = page.getByRole('row').filter({ hasText: 'asset.created' });
  await created.getByText('Failed').waitFor();
  expect(await created.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  await expectAccessible(page);
  await expectFits(page);
  receiver.answer = () => ({ status: 204 });
  await page.getByRole('button', { name: 'Enable' }).click();
  await created.getByRole('button', { name: 'Send again' }).click();
  await created.getByText('Delivered').waitFor();
  expect(receiver.refused).toEqual([]);

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('ERP of the plant');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { name: 'ERP of the plant', level: 1 }).waitFor();
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText('Secret rotated').waitFor();
  // Somebody else is faster.
  const [stored] = (await person.organization.admin.webhooks.list()).data;
  if (!stored) throw new Error('no webhook');
  person.problems.allow(/status of 400 .*webhooks\.update/);
  for (const theirs of ['Theirs', 'Theirs again']) {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await person.organization.admin.webhooks.update({ id: stored.id, name: theirs });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Somebody else has changed this webhook').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Mine');
    if (theirs === 'Theirs') {
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Discard mine' }).click();
      await page.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor();
    } else {
      await page.getByRole('button', { name: 'Replace their version' }).click();
      await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor();
    }
  }
  await page.goto('/activity');
  await page.getByRole('link', { name: 'Mine' }).first().click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhooks yet').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Mine' }).waitFor();
}, 120_000);

test('a manager sees the names of webhooks in the form for rules, and not their pages', async () => {
  const organization = await world.organization();
  await organization.admin.webhooks.create({ name: 'ERP', url: 'http://127.0.0.1:9/hook' });
  await using person = await world.person({ organization, role: 'manager' });
  const { page } = person;
  await page.goto('/alerts/rules/new');
  await page.getByLabel('ERP').waitFor();
  await page.goto('/alerts/webhooks');
  await page.getByText('Administrators only').waitFor();
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
});
