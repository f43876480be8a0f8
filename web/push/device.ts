import { secureOnly } from '../browser/secure-context.js';

/** Returns whether this device can show notifications. iPhones and iPads support them only in installed apps. */
export function canNotify(): boolean {
  return secureOnly.serviceWorker !== undefined && 'PushManager' in globalThis && 'Notification' in globalThis;
}

/** Returns the subscription of this browser; null if there is none. */
export async function presentSubscription(): Promise<PushSubscription | null> {
  const registration = await secureOnly.serviceWorker?.getRegistration('/');
  return registration ? registration.pushManager.getSubscription() : null;
}

/** A subscription as the service stores it. */
export type DeviceKeys = { endpoint: string; p256dh: string; auth: string };

/** Subscribes this browser with the key of the service. */
export async function subscribeDevice(publicKey: string): Promise<DeviceKeys> {
  const { serviceWorker } = secureOnly;
  if (!serviceWorker) throw new Error('this address has no service worker');
  await serviceWorker.register('/sw.js');
  const { pushManager } = await serviceWorker.ready;
  const present = await pushManager.getSubscription();
  // A browser has one subscription. The key of the service may have changed since.
  const isSame = present && base64url(present.options.applicationServerKey) === publicKey;
  if (!isSame) await present?.unsubscribe();
  const subscription = isSame
    ? present
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  return {
    endpoint: subscription.endpoint,
    p256dh: base64url(subscription.getKey('p256dh')),
    auth: base64url(subscription.getKey('auth')),
  };
}

function base64url(bytes: ArrayBuffer | null): string {
  const text = String.fromCodePoint(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
