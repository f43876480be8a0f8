import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { IconPackageImport } from '@tabler/icons-react';
import { useState } from 'react';
import { type Problem, problemOf } from '../api/errors.js';
import { FormProblem } from '../api/server-form.js';
import { AssetSelect } from '../ui/asset-select.js';
import { FormModal } from '../ui/form-modal.js';
import { quantity } from '../ui/quantity.js';
import { useContaining } from './use-containing.js';

type PutInButtonProps = { ids: readonly number[]; isBusy?: boolean };

/** Puts assets into a container that the person chooses. */
export function PutInButton({ ids, isBusy = false }: PutInButtonProps) {
  const { putIn } = useContaining();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function choose(container: { id: number; label: string } | null): Promise<void> {
    if (!container) return;
    setProblem(null);
    try {
      await putIn({ id: container.id, name: container.label }, ids);
      setOpen(false);
    } catch (error) {
      setProblem(problemOf(error));
    }
  }

  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={isBusy}
        leftSection={<IconPackageImport size={16} aria-hidden />}
        onClick={() => {
          setProblem(null);
          setOpen(true);
        }}
      >
        <Trans>Put into…</Trans>
      </Button>
      {isOpen && (
        <FormModal isDirty={false} onClose={() => setOpen(false)} title={t`Put into which container?`}>
          <Stack>
            {ids.length > 1 && <Text size="sm">{t`${quantity(ids.length, 'asset')} will be put in.`}</Text>}
            <AssetSelect
              label={t`Container`}
              description={t`Any asset can hold others, such as a cart, a box or a pallet. Its contents are where it is.`}
              value={null}
              onChange={(choice) => void choose(choice)}
            />
            <FormProblem problem={problem} />
          </Stack>
        </FormModal>
      )}
    </>
  );
}
