import { Page } from '../../ui/page.js';

export function MembersPage() {
  return <Page title="Members">{null}</Page>;
}
