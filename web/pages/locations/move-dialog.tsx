import { t } from '@lingui/core/macro';
import { Button, Group, Modal, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { FormProblem } from '../../api/server-form.js';
import { LocationSelect } from '../../ui/location-select.js';
import type { Choice } from '../../ui/search-select.js';
import { useMove } from './use-move.js';

type MoveDialogProps = {
  location: { id: number; name: string; parent_id: number | null };
  onClose: () => void;
  onMoved?: (parentId: number | null) => void;
};

/**
 * Moves a location without a pointer: the new parent is chosen by its path. A refusal is shown, and nothing is moved.
 */
export function MoveDialog({ location, onClose, onMoved }: MoveDialogProps) {
  const move = useMove();
  const [parent, setParent] = useState<Choice | null>(null);
  const [toTop, setToTop] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function act(): Promise<void> {
    const parentId = toTop ? null : (parent?.id ?? null);
    setBusy(true);
    setProblem(null);
    try {
      await move(location.id, parentId);
      onMoved?.(parentId);
      onClose();
    } catch (error) {
      setProblem(problemOf(error, location.name));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal opened onClose={onClose} title={t`Move ${location.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        <Stack>
          <LocationSelect
            label={t`Into`}
            description={t`Sublocations move too.`}
            value={toTop ? null : parent}
            onChange={setParent}
            disabled={toTop}
          />
          <Switch
            label={t`Make it a top-level location`}
            checked={toTop}
            onChange={(event) => setToTop(event.currentTarget.checked)}
          />
          <FormProblem problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" loading={isBusy} disabled={!toTop && parent === null}>{t`Move`}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
