import { Page } from '../../ui/page.js';
import { RequireRole } from '../../session/require-role.js';
import { NewAssetForm } from './new-asset-form.js';

/** Makes one asset; many come by import. */
export function NewAssetPage() {
  return (
    <Page title="New asset" width="narrow" back={{ to: '/assets', label: 'Assets' }}>
      <RequireRole needs="manager">
        <NewAssetForm />
      </RequireRole>
    </Page>
  );
}
