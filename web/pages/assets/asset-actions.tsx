import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPrinter } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Problem } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useUndoDeletion } from '../../trash/use-undo-deletion.js';
import { ActionButton } from '../../ui/action-button.js';
import { ButtonLink } from '../../ui/links.js';
import { FormModal } from '../../ui/form-modal.js';
import type { AssetDetail } from './asset-values.js';

/** Actions on an asset, besides changing its fields. */
export function AssetActions({ asset }: { asset: AssetDetail }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const navigate = useNavigate();
  const undoDeletion = useUndoDeletion();

  async function remove(): Promise<void> {
    await api.assets.delete.mutate({ asset_id: asset.id });
    await navigate({ to: '/assets' });
    answers.removeQueries(trpc.assets.detail.queryFilter({ asset_id: asset.id }));
    await answers.invalidateQueries(trpc.assets.pathFilter());
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
      <ActionButton onAct={remove}>
        <Trans>Delete</Trans>
      </ActionButton>
    </>
  );
}

function RenameButton({ asset }: { asset: AssetDetail }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm({ initialValues: { external_key: asset.external_key } });

  async function rename({ external_key: key }: { external_key: string }): Promise<void> {
    setProblem(null);
    try {
      await api.assets.rename.mutate({ asset_id: asset.id, external_key: key.trim() });
      await answers.invalidateQueries(trpc.assets.pathFilter());
      close();
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          form.setInitialValues({ external_key: asset.external_key });
          form.reset();
          setProblem(null);
          open();
        }}
      >
        <Trans>Change key</Trans>
      </Button>
      {isOpen && (
        <FormModal isDirty={form.isDirty()} onClose={close} title={t`Change key`}>
          <form onSubmit={form.onSubmit(rename)} noValidate>
            <Stack>
              <TextInput
                label={t`Key`}
                description={t`Other systems may refer to the asset by its key. Printed labels keep the old key.`}
                data-autofocus
                {...form.getInputProps('external_key')}
              />
              <FormProblem problem={problem} />
              <Group justify="flex-end">
                <Button variant="default" onClick={close}>{t`Cancel`}</Button>
                <Button type="submit" loading={form.submitting}>{t`Change key`}</Button>
              </Group>
            </Stack>
          </form>
        </FormModal>
      )}
    </>
  );
}
