import { useScanQueue } from './use-scan-queue.js';

/** Sends what waits from an earlier visit to the scan page, from any page. */
export function ScanSender() {
  useScanQueue();
  return null;
}
