import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Table, Text } from '@mantine/core';
import { IconCategory, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { KindPicture } from '../../kinds/kind-picture.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { AnchorLink } from '../../ui/links.js';
import { ProblemState } from '../../ui/problem-state.js';
import { quantity } from '../../ui/quantity.js';
import { Section } from '../../ui/section.js';
import { UserText } from '../../ui/user-text.js';
import { type AssetKind, KindDialog } from './kind-dialog.js';

/** The kinds of assets, for those who may edit them. */
export function KindsSection() {
  const trpc = useTRPC();
  const kinds = useQuery(trpc.assetKinds.list.queryOptions());
  const [open, setOpen] = useState<AssetKind | 'new' | null>(null);
  return (
    <Section
      id="kinds"
      title={t`Kinds of assets`}
      action={
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen('new')}>{t`New kind`}</Button>
      }
    >
      {kinds.error && !kinds.data ? (
        <ProblemState error={kinds.error} onRetry={() => void kinds.refetch()} />
      ) : !kinds.data ? (
        <Skeleton height={200} aria-busy="true" />
      ) : kinds.data.data.length === 0 ? (
        <EmptyState icon={IconCategory} title={t`No kinds yet`}>
          <Text>{t`A kind, such as Infusion pump, gives its assets an icon, a color and a photo. Search, filters and alert rules know it.`}</Text>
        </EmptyState>
      ) : (
        <KindTable kinds={kinds.data.data} onEdit={setOpen} />
      )}
      {open !== null && <KindDialog kind={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Section>
  );
}

function KindTable({ kinds, onEdit }: { kinds: readonly AssetKind[]; onEdit: (kind: AssetKind) => void }) {
  return (
    <Table aria-label={t`Kinds of assets`}>
      <Table.Tbody>
        {kinds.map((kind) => (
          <Table.Tr key={kind.id}>
            <Table.Td>
              <Group gap="sm" wrap="nowrap">
                <KindPicture kind={kind} size={28} />
                <div style={{ minWidth: 0 }}>
                  <UserText>{kind.name}</UserText>
                  <Text size="xs" c="dimmed" component="div">
                    <AnchorLink to="/assets" search={{ kind_id: kind.id }} inherit>
                      {quantity(kind.asset_count, 'asset')}
                    </AnchorLink>
                    {kind.holds_assets && ` · ${t`Holds things`}`}
                  </Text>
                </div>
              </Group>
            </Table.Td>
            <Table.Td>
              <Group gap="xs" justify="flex-end">
                <Button size="xs" variant="default" aria-label={t`Edit ${kind.name}`} onClick={() => onEdit(kind)}>
                  <Trans>Edit</Trans>
                </Button>
                <DeleteKind kind={kind} />
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function DeleteKind({ kind: { id, name, asset_count: count } }: { kind: AssetKind }) {
  const { trpc, api, refresh } = useServer();
  return (
    <ConfirmButton
      size="xs"
      disabled={count > 0}
      question={t`Delete the kind ${name}?`}
      consequence={t`This can't be undone.`}
      confirm={t`Delete kind`}
      onConfirm={async () => {
        await api.assetKinds.delete.mutate({ id });
        await refresh(trpc.assetKinds);
      }}
    >
      <Trans>Delete</Trans>
    </ConfirmButton>
  );
}
