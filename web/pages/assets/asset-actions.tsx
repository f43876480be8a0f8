import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPrinter } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useServer } from '../../api/use-server.js';
import { useUndoDeletion } from '../../trash/use-undo-deletion.js';
import { ActionButton } from '../../ui/action-button.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { ButtonLink } from '../../ui/links.js';
import { useServerForm } from '../../ui/use-server-form.js';
import type { AssetDetail } from './asset-values.js';

/** Actions on an asset, besides changing its fields. */
export function AssetActions({ asset }: { asset: AssetDetail }) {
  const { trpc, api, answers, refresh } = useServer();
  const navigate = useNavigate();
  const undoDeletion = useUndoDeletion();

  async function remove(): Promise<void> {
    await api.assets.delete.mutate({ asset_id: asset.id });
    await navigate({ to: '/assets' });
    answers.removeQueries(trpc.assets.detail.queryFilter({ asset_id: asset.id }));
    await refresh(trpc.assets);
    undoDeletion({ kind: 'asset', id: asset.id, name: asset.name });
  }

  return (
    <>
      <ButtonLink
        variant="default"
        to="/labels"
        search={{ ids: String(asset.id) }}
        leftSection={<IconPrinter size={16} aria-hidden />}
      >
        <Trans>Print label</Trans>
      </ButtonLink>
      <RenameButton asset={asset} />
      <ActionButton onAct={remove}>{t`Delete`}</ActionButton>
    </>
  );
}

function RenameButton({ asset }: { asset: AssetDetail }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>{t`Change key`}</Button>
      {isOpen && <RenameDialog asset={asset} onClose={close} />}
    </>
  );
}

function RenameDialog({ asset, onClose }: { asset: AssetDetail; onClose: () => void }) {
  const { trpc, api, refresh } = useServer();
  const form = useServerForm({ initialValues: { external_key: asset.external_key }, send: rename });

  async function rename({ external_key: key }: { external_key: string }): Promise<void> {
    await api.assets.rename.mutate({ asset_id: asset.id, external_key: key.trim() });
    await refresh(trpc.assets);
    onClose();
  }

  return (
    <FormDialog form={form} title={t`Change key`} submit={t`Change key`} onClose={onClose}>
      <TextInput
        label={t`Key`}
        description={t`Other systems may refer to the asset by its key. Printed labels keep the old key.`}
        data-autofocus
        {...form.getInputProps('external_key')}
      />
    </FormDialog>
  );
}
