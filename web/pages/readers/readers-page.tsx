import { Page } from '../../ui/page.js';

export function ReadersPage() {
  return <Page title="Readers">{null}</Page>;
}
