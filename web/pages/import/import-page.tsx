import { Page } from '../../ui/page.js';

export function ImportPage() {
  return <Page title="Import">{null}</Page>;
}
