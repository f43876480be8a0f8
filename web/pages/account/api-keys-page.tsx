import { Page } from '../../ui/page.js';

export function ApiKeysPage() {
  return <Page title="API keys">{null}</Page>;
}
