import { Page } from '../../ui/page.js';

export function LabelsPage() {
  return <Page title="Labels">{null}</Page>;
}
