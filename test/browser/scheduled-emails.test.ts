import { expect, test } from 'vitest';
import { createMailServer } from '../support/mail-server.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { shows } from './support/shows.js';
import { createBrowserWorld } from './support/world.js';
import { fileWorld } from '../support/shared.js';

const smtp = fileWorld(createMailServer);
const world = fileWorld(() =>
  createBrowserWorld({ settings: { mail: { smtpUrl: smtp.url, from: 'mail@example.com' } } }),
);

test('a view and a report come by email until the link in the email stops them', async () => {
  const own = await world.organization();
  await own.admin.assets.create({ name: 'Pump 1', external_key: 'P-1' });
  await own.admin.assets.create({ name: 'Bed', external_key: 'B-1' });
  await using person = await world.person({ organization: own, role: 'viewer' });
  const { page } = person;
  await page.goto('/assets?q=pump');
  await shows(page, '1 asset');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').fill('Pumps <b>');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('button', { name: 'Pumps <b>' }).click();
  await page.getByRole('menuitem', { name: 'Email this view…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule emails' });
  await dialog.getByLabel('Day of the week').selectOption('Friday');
  await dialog.getByLabel('Time', { exact: true }).selectOption('06:00');
  await expectAccessible(page);
  await expectFits(page);
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await page.getByText('Email scheduled: Every week on Friday at 06:00').waitFor();

  await page.goto('/reports?report=unseen&days=3');
  await page.getByRole('button', { name: 'Email this report…' }).click();
  await dialog.getByLabel('How often').selectOption('Every month');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await page.getByText('Email scheduled: Every month on day 1 at 07:00').waitFor();

  await world.db.scheduledEmail.updateMany({ where: { viewId: { not: null } }, data: { dueAt: new Date(0) } });
  await smtp.waitFor(1);
  const text = smtp.mails[0]?.bodies.text ?? '';
  await page.goto(new URL(/https?:\S+\/assets\S+/.exec(text)?.[0] ?? '').search.replace(/^/, '/assets'));
  await shows(page, '1 asset');

  await using visitor = await world.visitor();
  const stopping = visitor.page;
  await stopping.goto(`/stop-email#${/stop-email#(\S+)/.exec(text)?.[1]}`);
  await stopping.getByRole('heading', { name: 'Stop these emails?' }).waitFor();
  await expectAccessible(stopping);
  await stopping.getByRole('button', { name: 'Stop emails' }).click();
  await stopping.getByRole('heading', { name: 'Emails stopped' }).waitFor();

  await page.goto('/account');
  const view = page.getByRole('group', { name: 'Pumps <b>' });
  await view.getByText('Paused').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await view.getByRole('button', { name: 'Resume' }).click();
  await view.getByText('Paused').waitFor({ state: 'hidden' });
  const report = page.getByRole('group', { name: 'Not seen' });
  await report.getByText('Every month on day 1 at 07:00 (Europe/Berlin).').waitFor();
  await report.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete emails' }).click();
  await report.waitFor({ state: 'hidden' });
  expect(await world.db.scheduledEmail.count()).toBe(1);
});
