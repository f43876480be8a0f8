import { Page } from '../../ui/page.js';

export function NewApiKeyPage() {
  return <Page title="New key">{null}</Page>;
}
