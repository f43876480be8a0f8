import { Page } from '../../ui/page.js';

export function LocationsPage() {
  return <Page title="Locations">{null}</Page>;
}
