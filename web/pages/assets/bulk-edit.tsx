import { t } from '@lingui/core/macro';
import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { KindSelect } from '../../kinds/kind-select.js';
import { quantity } from '../../ui/quantity.js';
import { LocationSelect } from '../../ui/location-select.js';
import { FormModal } from '../../ui/form-modal.js';
import { BulkDetails } from './bulk-details.js';
import { BulkPreview } from './bulk-preview.js';
import { type BulkValues, changesOf, type Choice, keptValues } from './bulk-values.js';
import type { BulkChanges } from './use-bulk.js';

type BulkEditProps = {
  ids: readonly number[];
  onEdit: (changes: BulkChanges) => void;
  onClose: () => void;
};

/** Changes fields of many assets: first the fields are chosen, then a preview shows each asset before and after. */
export function BulkEdit({ ids, onEdit, onClose }: BulkEditProps) {
  const [values, setValues] = useState(keptValues);
  const [previewed, setPreviewed] = useState<BulkChanges | null>(null);
  const changes = changesOf(values);
  const isTouched = values !== keptValues;
  return (
    <FormModal isDirty={isTouched} onClose={onClose} title={t`Edit ${quantity(ids.length, 'asset')}`} size="xl">
      {previewed ? (
        <BulkPreview
          ids={ids}
          changes={previewed}
          onBack={() => setPreviewed(null)}
          onConfirm={() => {
            onEdit(previewed);
            onClose();
          }}
        />
      ) : (
        <form
          aria-label={t`Edit assets`}
          onSubmit={(event) => {
            event.preventDefault();
            if (changes) setPreviewed(changes);
          }}
        >
          <Stack>
            <Text size="sm" c="dimmed">{t`Fields that you keep are not changed.`}</Text>
            <Fields values={values} onChange={(part) => setValues({ ...values, ...part })} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
              <Button type="submit" disabled={!changes}>{t`Preview`}</Button>
            </Group>
          </Stack>
        </form>
      )}
    </FormModal>
  );
}

type FieldsProps = { values: BulkValues; onChange: (part: Partial<BulkValues>) => void };

function Fields({ values, onChange }: FieldsProps) {
  const { kind, belongs_to: own, description, valid_from: from, valid_to: to } = values;
  return (
    <>
      <NativeSelect
        label={t`Status`}
        data={[
          { value: 'keep', label: t`Keep` },
          { value: 'active', label: t`Active` },
          { value: 'inactive', label: t`Inactive` },
        ]}
        value={values.status}
        onChange={(event) => onChange({ status: event.currentTarget.value as BulkValues['status'] })}
      />
      <ChoiceRow
        label={t`Kind`}
        clear={t`None`}
        value={kind.choice}
        onChange={(choice) => onChange({ kind: { ...kind, choice } })}
      >
        <KindSelect
          aria-label={t`New kind`}
          flex={1}
          none={t`Choose a kind`}
          value={kind.id}
          onChange={(id) => onChange({ kind: { ...kind, id } })}
        />
      </ChoiceRow>
      <ChoiceRow
        label={t`Belongs to`}
        clear={t`None`}
        value={own.choice}
        onChange={(choice) => onChange({ belongs_to: { ...own, choice } })}
      >
        <LocationSelect
          label={t`Location that they belong to`}
          isLabelHidden
          value={own.location}
          onChange={(location) => onChange({ belongs_to: { ...own, location } })}
        />
      </ChoiceRow>
      <ChoiceRow
        label={t`Description`}
        clear={t`Clear`}
        value={description.choice}
        onChange={(choice) => onChange({ description: { ...description, choice } })}
      >
        <Textarea
          aria-label={t`New description`}
          autosize
          minRows={1}
          maxRows={4}
          flex={1}
          maxLength={1024}
          value={description.text}
          onChange={(event) => onChange({ description: { ...description, text: event.currentTarget.value } })}
        />
      </ChoiceRow>
      <ChoiceRow
        label={t`Valid from`}
        value={from.choice}
        onChange={(choice) => onChange({ valid_from: { ...from, choice } })}
      >
        <TextInput
          type="datetime-local"
          aria-label={t`New start`}
          flex={1}
          value={from.text}
          onChange={(event) => onChange({ valid_from: { ...from, text: event.currentTarget.value } })}
        />
      </ChoiceRow>
      <ChoiceRow
        label={t`Valid until`}
        clear={t`No end date`}
        value={to.choice}
        onChange={(choice) => onChange({ valid_to: { ...to, choice } })}
      >
        <TextInput
          type="datetime-local"
          aria-label={t`New end`}
          flex={1}
          value={to.text}
          onChange={(event) => onChange({ valid_to: { ...to, text: event.currentTarget.value } })}
        />
      </ChoiceRow>
      <BulkDetails value={values.details} onChange={(details) => onChange({ details })} />
    </>
  );
}

type ChoiceRowProps = {
  label: string;
  /** The label for clearing the field; omitted if it cannot be empty. */
  clear?: string;
  value: Choice;
  onChange: (choice: Choice) => void;
  children: ReactNode;
};

function ChoiceRow({ label, clear, value, onChange, children }: ChoiceRowProps) {
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label={label}
        data={[
          { value: 'keep', label: t`Keep` },
          { value: 'set', label: t`Set to` },
          ...(clear === undefined ? [] : [{ value: 'clear', label: clear }]),
        ]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value as Choice)}
      />
      {value === 'set' && children}
    </Group>
  );
}
