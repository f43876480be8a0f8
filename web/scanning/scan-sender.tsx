import { useScanQueue } from './use-scan-queue.js';

/** Sends what waits from an earlier visit to the scan page, whichever page is open now. */
export function ScanSender() {
  useScanQueue();
  return null;
}
