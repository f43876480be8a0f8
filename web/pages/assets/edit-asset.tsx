import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { AssetFields } from './asset-fields.js';
import {
  type AssetDetail,
  type AssetValues,
  editableFields,
  type EditableField,
  editableOf,
  formValueOf,
  isSame,
  typedOf,
  valuesOf,
} from './asset-values.js';
import { EditConflicts } from './edit-conflicts.js';
import { metadataOf } from './metadata-values.js';

type EditAssetProps = {
  /** The present state of the asset, which may be newer than the state with which the form began. */
  latest: AssetDetail;
  onClose: () => void;
};

/**
 * Changes an asset. The form sends the state with which it began, so that the service refuses to overwrite a change of
 * somebody else that the person has not seen. That change is then shown next to the input.
 */
export function EditAsset({ latest, onClose }: EditAssetProps) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const [base, setBase] = useState(latest);
  const [problem, setProblem] = useState<Problem | null>(null);
  const form = useForm<AssetValues>({ initialValues: valuesOf(latest) });
  const baseFields = editableOf(base);
  const typed = typedOf(form.values, baseFields);
  const isOutdated = latest.updated_at !== base.updated_at;
  const theirs = editableFields.filter((field) => !isSame(field, editableOf(latest), baseFields));
  const mine = editableFields.filter((field) => !isSame(field, typed, baseFields));
  const guard = useLeaveGuard(mine.length > 0);
  const conflicts = isOutdated
    ? theirs.filter((field) => mine.includes(field) && !isSame(field, typed, editableOf(latest)))
    : [];

  // Fields that only the other person changed get the other value without a question.
  useEffect(() => {
    if (isOutdated && conflicts.length === 0) adopt([]);
  });

  /**
   * Continues from the newest state. Of the fields that both persons changed, the given fields take the other value,
   * and the rest keep the input.
   */
  function adopt(taken: readonly EditableField[]): void {
    const untouched = theirs.filter((field) => !mine.includes(field));
    for (const field of [...untouched, ...taken]) form.setValues(formValueOf(field, editableOf(latest)));
    setBase(latest);
    setProblem(null);
  }

  async function save(values: AssetValues): Promise<void> {
    setProblem(null);
    const read = metadataOf(values.metadata);
    if ('problem' in read) {
      form.setFieldError('metadata', read.problem);
      return;
    }
    if (mine.length === 0) {
      onClose();
      return;
    }
    const changes = Object.fromEntries(mine.map((field) => [field, typed[field]]));
    try {
      await api.assets.update.mutate({ ...changes, asset_id: base.id, updated_at: base.updated_at });
      await answers.invalidateQueries(trpc.assets.pathFilter());
      notifications.show({ message: t`Changes saved` });
      onClose();
    } catch (error) {
      const isStale = problemOf(error).fields.some(({ field }) => field === 'updated_at');
      // The newer state is then shown, or taken over.
      if (isStale) await answers.invalidateQueries(trpc.assets.detail.queryFilter({ asset_id: base.id }));
      else setProblem(applyProblem(form, error));
    }
  }

  return (
    <form onSubmit={form.onSubmit(save)} noValidate aria-label={t`Edit asset`}>
      {guard.question}
      <Stack>
        {conflicts.length > 0 && (
          <EditConflicts fields={conflicts} mine={typed} theirs={editableOf(latest)} onDecide={adopt} />
        )}
        <AssetFields form={form} />
        <FormProblem problem={problem} />
        <Group>
          <Button type="submit" loading={form.submitting} disabled={conflicts.length > 0}>{t`Save changes`}</Button>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
        </Group>
      </Stack>
    </form>
  );
}
