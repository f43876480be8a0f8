import { Page } from '../../ui/page.js';

export function UnknownTagsPage() {
  return <Page title="Unknown tags">{null}</Page>;
}
