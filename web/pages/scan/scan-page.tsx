import { Page } from '../../ui/page.js';

export function ScanPage() {
  return <Page title="Scan">{null}</Page>;
}
