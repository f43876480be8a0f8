import { Page } from '../../ui/page.js';

export function ImportRunPage() {
  return <Page title="Import">{null}</Page>;
}
