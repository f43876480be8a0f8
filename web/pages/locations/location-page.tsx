import { Page } from '../../ui/page.js';

export function LocationPage() {
  return <Page title="Location">{null}</Page>;
}
