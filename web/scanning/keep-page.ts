/** After the first page, so that keeping a copy does not compete with it. */
const keepAppAfterMs = 10_000;

/**
 * Keeps the app's document and the scan page on the device, so that every page opens without a network. Where the browser does not
 * allow it, the app works as long as it is open.
 */
function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !navigator.onLine) return;
  navigator.serviceWorker.register('/sw.js').then(removeFormerWorker, () => {});
}

/** Removes the worker of an earlier version. It answered for the scan page alone, and would go on to do so. */
async function removeFormerWorker(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  const former = registrations.find(({ scope }) => new URL(scope).pathname === '/scan');
  await former?.unregister();
}

/** Stores the copy some time after the app has started. The returned function cancels this. */
export function keepApp(): () => void {
  const timer = setTimeout(registerWorker, keepAppAfterMs);
  return () => clearTimeout(timer);
}

/** Keeps the copy now, and asks the browser not to clear the scans that wait to be sent. */
export function keepScanPage(): void {
  registerWorker();
  if (import.meta.env.PROD) navigator.storage.persist().catch(() => {});
}
