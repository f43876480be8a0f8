/**
 * Has the scan page kept on the device, so that it opens without a network, and asks the browser not to clear what waits to
 * be sent. Where that is not to be had, the page works as long as it is open.
 */
export function keepScanPage(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('/sw.js', { scope: '/scan' }).catch(() => {});
  navigator.storage.persist().catch(() => {});
}
