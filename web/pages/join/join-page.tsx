import { Page } from '../../ui/page.js';

export function JoinPage() {
  return <Page title="Join an organisation">{null}</Page>;
}
