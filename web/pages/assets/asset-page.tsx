import { Page } from '../../ui/page.js';

export function AssetPage() {
  return <Page title="Asset">{null}</Page>;
}
