import { t } from '@lingui/core/macro';
import { Switch } from '@mantine/core';
import { FormDialog } from '../../ui/form-dialog.js';
import { LocationSelect } from '../../ui/location-select.js';
import type { Choice } from '../../ui/search-select.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { useMove } from './use-move.js';

type MoveDialogProps = {
  location: { id: number; name: string; parent_id: number | null };
  onClose: () => void;
  onMoved?: (parentId: number | null) => void;
};

type Values = { parent: Choice | null; isTop: boolean };

/**
 * Moves a location without a pointer: the new parent is chosen by its path. A refusal is shown, and nothing is moved.
 */
export function MoveDialog({ location, onClose, onMoved }: MoveDialogProps) {
  const move = useMove();
  const form = useServerForm<Values>({ initialValues: { parent: null, isTop: false }, send, subject: location.name });
  const { parent, isTop } = form.values;

  async function send({ parent: chosen, isTop: toTop }: Values): Promise<void> {
    const parentId = toTop ? null : (chosen?.id ?? null);
    await move(location.id, parentId);
    onMoved?.(parentId);
    onClose();
  }

  return (
    <FormDialog
      form={form}
      title={t`Move ${location.name}`}
      submit={t`Move`}
      isDisabled={!isTop && parent === null}
      onClose={onClose}
    >
      <LocationSelect
        label={t`Into`}
        description={t`Sublocations move too.`}
        value={isTop ? null : parent}
        onChange={(chosen) => form.setFieldValue('parent', chosen)}
        disabled={isTop}
      />
      <Switch label={t`Make it a top-level location`} {...form.getInputProps('isTop', { type: 'checkbox' })} />
    </FormDialog>
  );
}
