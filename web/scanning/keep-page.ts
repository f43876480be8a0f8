import { secureOnly } from '../browser/secure-context.js';

/** Starts some time after the first page, so that storing the copy does not compete with loading it. */
const keepAppAfterMs = 10_000;

/**
 * Stores the app's document and the scan page on the device, so that every page opens without a network. If the browser
 * does not allow it, the app still works as long as it is open.
 */
function registerWorker(): void {
  const { serviceWorker } = secureOnly;
  if (!import.meta.env.PROD || !serviceWorker || !navigator.onLine) return;
  serviceWorker.register('/sw.js').then(
    () => removeFormerWorker(serviceWorker),
    () => {},
  );
}

/** Removes the worker of an earlier version, which handles only the scan page and would otherwise stay active. */
async function removeFormerWorker(workers: ServiceWorkerContainer): Promise<void> {
  const registrations = await workers.getRegistrations();
  const former = registrations.find(({ scope }) => new URL(scope).pathname === '/scan');
  await former?.unregister();
}

/** Stores the copy some time after the app has started. The returned function cancels this. */
export function keepApp(): () => void {
  const timer = setTimeout(registerWorker, keepAppAfterMs);
  return () => clearTimeout(timer);
}

/** Stores the copy now, and asks the browser not to delete the scans that wait to be sent. */
export function keepScanPage(): void {
  registerWorker();
  if (import.meta.env.PROD) secureOnly.storage?.persist().catch(() => {});
}
