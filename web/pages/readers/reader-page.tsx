import { Page } from '../../ui/page.js';

export function ReaderPage() {
  return <Page title="Reader">{null}</Page>;
}
