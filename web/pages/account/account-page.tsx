import { Page } from '../../ui/page.js';

export function AccountPage() {
  return <Page title="Account">{null}</Page>;
}
