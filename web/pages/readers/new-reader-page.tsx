import { Page } from '../../ui/page.js';

export function NewReaderPage() {
  return <Page title="New reader">{null}</Page>;
}
