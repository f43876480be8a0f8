import { Page } from '../../ui/page.js';

export function StartPage() {
  return <Page title="First steps">{null}</Page>;
}
