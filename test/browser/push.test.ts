import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createPushService, type TestDevice } from '../support/push-service.js';
import { expectAccessible, expectFits } from './support/accessible.js';
import { createBrowserWorld } from './support/world.js';
import { fileWorld } from '../support/shared.js';

const service = fileWorld(createPushService);
const world = fileWorld(() => createBrowserWorld({ settings: { webhooksAllowPrivateAddresses: true } }));

type Shown = [title: string, options: { data: string }];
type WorkerOfTest = { shown: Shown[]; registration: { showNotification(...shown: Shown): Promise<void> } };

/**
 * Allows notifications, which the browsers of tests do not have, and has the browser subscribe at the push service of the test, as
 * the one of its vendor is not reachable.
 */
async function usePushService(page: Page, device: TestDevice): Promise<void> {
  await page.addInitScript(({ endpoint, p256dh, auth }) => {
    const bytesOf = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer;
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
    let subscription: unknown = null;
    Object.assign(PushManager.prototype, {
      getSubscription: async () => subscription,
      async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
        subscription = {
          endpoint,
          options: { applicationServerKey: bytesOf(applicationServerKey) },
          getKey: (name: string) => bytesOf(name === 'auth' ? auth : p256dh),
          unsubscribe: async () => true,
        };
        return subscription;
      },
    });
  }, device);
}

test('alerts come to a device on which notifications are turned on, and open', async () => {
  await using person = await world.person({ role: 'manager' });
  const { page, context, organization: own } = person;
  await own.admin.alertRules.create({
    name: 'New things',
    event_type: 'asset.created',
    notify: { app: true, email_user_ids: [person.userId], email_mode: 'each', endpoint_ids: [] },
  });
  await usePushService(page, service.device('browser'));
  await page.goto('/alerts');
  await page.getByRole('button', { name: 'Notifications on this device…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Notifications on this device' });
  await dialog.getByText('Notifications are off, on this device.').waitFor();
  await dialog.getByText('On an iPhone or iPad').waitFor();
  await expectAccessible(page);
  await expectFits(page);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByText('Notifications are on, on this device.').waitFor();
  await own.admin.assets.create({ name: 'Pump 1', external_key: 'P-1' });
  await expect.poll(() => service.pushes.length).toBe(1);
  const [pushed] = service.pushes;
  expect(pushed?.notice).toMatchObject({ title: 'Pump 1 was created' });

  // The worker of the app shows what the push service delivers. This browser has no notifications, so the test takes them.
  await page.goto('/account');
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await expect.poll(() => context.serviceWorkers()).toHaveLength(1);
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(() => {
    const scope = self as unknown as WorkerOfTest;
    scope.shown = [];
    scope.registration.showNotification = async (...shown) => void scope.shown.push(shown);
  });
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: world.url,
    registrationId: await registered,
    data: JSON.stringify(pushed?.notice),
  });
  const [alert] = await world.db.alert.findMany({ where: { orgId: own.orgId } });
  const shown = () => worker?.evaluate(() => (self as unknown as WorkerOfTest).shown);
  await expect.poll(shown).toMatchObject([['Pump 1 was created', { data: `/alerts/${alert?.id}` }]]);
  await worker?.evaluate(() => {
    const [[, { data }] = ['', { data: '' }]] = (self as unknown as WorkerOfTest).shown;
    const event = new Event('notificationclick');
    self.dispatchEvent(Object.assign(event, { notification: { data, close: () => {} }, waitUntil: () => {} }));
  });
  await page.getByRole('heading', { name: 'Pump 1 was created' }).waitFor();
});

test('a browser that blocks notifications is told how to allow them', async () => {
  await using person = await world.person({ role: 'viewer' });
  const { page } = person;
  await page.goto('/account');
  await page.getByRole('button', { name: 'Notifications on this device…' }).click();
  await page.getByText('This browser blocks notifications from Whereabouts.').waitFor();
});
