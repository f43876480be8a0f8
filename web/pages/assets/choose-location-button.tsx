import { t } from '@lingui/core/macro';
import { Button, Stack, Text } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProblem } from '../../api/server-form.js';
import type { ScanLocation } from '../../scanning/batch.js';
import { FormModal } from '../../ui/form-modal.js';
import { ScanLocationSearch } from '../scan/scan-location-search.js';

type ChooseLocationButtonProps = {
  /** The question, as the dialog's heading. */
  question: string;
  note?: string;
  isBusy?: boolean;
  onChoose: (location: ScanLocation) => Promise<void>;
};

/** A button that asks where something is now. The dialog shows what fails, and closes when the location is set. */
export function ChooseLocationButton({ question, note, isBusy = false, onChoose }: ChooseLocationButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const set = useMutation({ mutationFn: onChoose, onSuccess: () => setOpen(false) });

  function open(): void {
    set.reset();
    setOpen(true);
  }

  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={isBusy}
        leftSection={<IconMapPin size={16} aria-hidden />}
        onClick={open}
      >{t`Set location`}</Button>
      {isOpen && (
        <FormModal isDirty={false} onClose={() => setOpen(false)} title={question}>
          <Stack>
            {note !== undefined && <Text size="sm">{note}</Text>}
            <ScanLocationSearch onChoose={(location) => set.mutate(location)} />
            <FormProblem error={set.error} />
          </Stack>
        </FormModal>
      )}
    </>
  );
}
