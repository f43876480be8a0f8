import { Page } from '../../ui/page.js';

export function NewAssetPage() {
  return <Page title="New asset">{null}</Page>;
}
