import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconBox, IconFileUpload, IconPlus, IconZoomQuestion } from '@tabler/icons-react';
import { useSession } from '../../session/context.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ButtonLink } from '../../ui/links.js';
import { type AssetSearch, isFiltered } from './search.js';

/** Shown instead of the list if it has no rows: why, and what to do. */
export function NoAssets({ search, onClear }: { search: AssetSearch; onClear: () => void }) {
  const { can } = useSession();
  if (search.offset !== undefined) {
    return (
      <EmptyState
        icon={IconZoomQuestion}
        title={t`This page is past the end of the list`}
        action={<Button onClick={onClear}>{t`Go to first page`}</Button>}
      />
    );
  }
  if (isFiltered(search)) {
    return (
      <EmptyState icon={IconZoomQuestion} title={t`No matching assets`}>
        <Trans>Search by name, key, description or tag. Short searches match the start of names and keys.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconBox}
      title={t`No assets yet`}
      action={
        can('manager') && (
          <Group justify="center">
            <ButtonLink to="/assets/new" leftSection={<IconPlus size={18} aria-hidden />}>
              <Trans>Create your first asset</Trans>
            </ButtonLink>
            <ButtonLink variant="default" to="/import" leftSection={<IconFileUpload size={18} aria-hidden />}>
              <Trans>Import from a file</Trans>
            </ButtonLink>
          </Group>
        )
      }
    >
      <Trans>
        An asset is something you want to track. Give it a name and a tag; each read of the tag updates its location.
      </Trans>
    </EmptyState>
  );
}
