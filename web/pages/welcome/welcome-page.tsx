import { Page } from '../../ui/page.js';

export function WelcomePage() {
  return <Page title="Welcome">{null}</Page>;
}
