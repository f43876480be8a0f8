import { t } from '@lingui/core/macro';
import { BackLink, Page } from '../../ui/page.js';
import { RequireRole } from '../../session/require-role.js';
import { NewAssetForm } from './new-asset-form.js';

/** Creates one asset; use an import for many. */
export function NewAssetPage() {
  return (
    <Page title={t`New asset`} width="narrow" back={<BackLink to="/assets">{t`Assets`}</BackLink>}>
      <RequireRole needs="manager">
        <NewAssetForm />
      </RequireRole>
    </Page>
  );
}
