import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, List, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { AnchorLink } from '../../ui/links.js';
import { numberText } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';

type Refused = Outputs['imports']['undo']['refused'][number];

/** The result of an undo: how many changes it undid, and what it did not change. */
export type UndoneImport = { takenBack: number; refused: readonly Refused[] };

const shownMax = 50;

/** Undoes an applied import, part by part, after a confirmation. */
export function UndoImportButton({ importId, onDone }: { importId: string; onDone: (undone: UndoneImport) => void }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [takenBack, setTakenBack] = useState<number>();

  async function undo(): Promise<void> {
    let count = 0;
    const refused: Refused[] = [];
    setTakenBack(0);
    try {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const part: Outputs['imports']['undo'] = await api.imports.undo.mutate({
          import_id: importId,
          ...(cursor !== undefined && { cursor }),
        });
        count += part.taken_back;
        for (const item of part.refused) refused.push(item);
        setTakenBack(count);
        cursor = part.next;
      }
      onDone({ takenBack: count, refused });
    } finally {
      setTakenBack(undefined);
      for (const router of [trpc.imports, trpc.assets, trpc.locations, trpc.trash, trpc.activity]) {
        void answers.invalidateQueries(router.pathFilter());
      }
    }
  }

  return (
    <>
      <ConfirmButton
        question={t`Undo this import?`}
        consequence={t`What it created is deleted, and can be restored for 30 days. What it changed gets its former values, unless it was changed since then.`}
        confirm={t`Undo the import`}
        onConfirm={undo}
      >
        <Trans>Undo import</Trans>
      </ConfirmButton>
      {takenBack !== undefined && (
        <Text size="sm" c="dimmed" aria-live="polite">
          <Trans>{numberText(takenBack)} taken back so far</Trans>
        </Text>
      )}
    </>
  );
}

const reasons: Readonly<Record<Refused['reason'], string>> = {
  changed: t`: changed since then`,
  deleted: t`: deleted since then`,
  kind_deleted: t`: its former kind is deleted`,
  tag_taken: t`: a tag is attached to something else`,
  in_use: t`: something is in it`,
  location_gone: t`: the location above it is deleted or below it`,
};

/** What the undo did not change, and why. */
export function UndoneReport({ undone: { takenBack, refused } }: { undone: UndoneImport }) {
  const isWhole = refused.length === 0;
  return (
    <Alert
      role={isWhole ? 'status' : 'alert'}
      color={isWhole ? 'green' : 'orange'}
      title={
        isWhole ? t`The import was undone` : t`${numberText(takenBack)} taken back, ${numberText(refused.length)} left`
      }
    >
      {!isWhole && (
        <List size="sm">
          {refused.slice(0, shownMax).map(({ kind, id, name, reason }) => (
            <List.Item key={`${kind} ${id} ${reason}`}>
              {reason === 'deleted' ? <UserText>{name}</UserText> : <ItemLink kind={kind} id={id} name={name} />}
              {reasons[reason]}
            </List.Item>
          ))}
        </List>
      )}
      {refused.length > shownMax && (
        <Text size="sm">
          <Trans>And {numberText(refused.length - shownMax)} more.</Trans>
        </Text>
      )}
    </Alert>
  );
}

function ItemLink({ kind, id, name }: Pick<Refused, 'kind' | 'id' | 'name'>) {
  const text = <UserText>{name}</UserText>;
  return kind === 'asset' ? (
    <AnchorLink to="/assets/$assetId" params={{ assetId: String(id) }}>
      {text}
    </AnchorLink>
  ) : (
    <AnchorLink to="/locations/$locationId" params={{ locationId: String(id) }}>
      {text}
    </AnchorLink>
  );
}
