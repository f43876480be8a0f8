import { Page } from '../../ui/page.js';

export function AssetsPage() {
  return <Page title="Assets">{null}</Page>;
}
