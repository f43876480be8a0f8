import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { isOutdated } from '../../api/server-form.js';
import { useServer } from '../../api/use-server.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
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
  const { trpc, api, answers, refresh } = useServer();
  const [base, setBase] = useState(latest);
  const form = useServerForm<AssetValues>({ initialValues: valuesOf(latest), send: save });
  const baseFields = editableOf(base);
  const typed = typedOf(form.values, baseFields);
  const isBehind = latest.updated_at !== base.updated_at;
  const theirs = editableFields.filter((field) => !isSame(field, editableOf(latest), baseFields));
  const mine = editableFields.filter((field) => !isSame(field, typed, baseFields));
  const guard = useLeaveGuard(mine.length > 0);
  const conflicts = isBehind
    ? theirs.filter((field) => mine.includes(field) && !isSame(field, typed, editableOf(latest)))
    : [];

  // Fields that only the other person changed get the other value without a question.
  useEffect(() => {
    if (isBehind && conflicts.length === 0) adopt([]);
  });

  /**
   * Continues from the newest state. Of the fields that both persons changed, the given fields take the other value,
   * and the rest keep the input.
   */
  function adopt(taken: readonly EditableField[]): void {
    const untouched = theirs.filter((field) => !mine.includes(field));
    for (const field of [...untouched, ...taken]) form.setValues(formValueOf(field, editableOf(latest)));
    setBase(latest);
  }

  async function save(values: AssetValues): Promise<void> {
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
    } catch (error) {
      if (!isOutdated(error)) throw error;
      // The newer state is then shown, or taken over.
      await answers.invalidateQueries(trpc.assets.detail.queryFilter({ asset_id: base.id }));
      return;
    }
    await refresh(trpc.assets);
    notifications.show({ message: t`Changes saved` });
    onClose();
  }

  return (
    <ServerForm
      form={form}
      aria-label={t`Edit asset`}
      submit={t`Save changes`}
      isDisabled={conflicts.length > 0}
      others={<Button variant="default" onClick={onClose}>{t`Cancel`}</Button>}
    >
      {guard.question}
      {conflicts.length > 0 && (
        <EditConflicts fields={conflicts} mine={typed} theirs={editableOf(latest)} onDecide={adopt} />
      )}
      <AssetFields form={form} />
    </ServerForm>
  );
}
