import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { FormProblem, isOutdated } from '../../api/server-form.js';
import type { Outputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { UserText } from '../../ui/user-text.js';
import { FormModal } from '../../ui/form-modal.js';
import { LocationFields, type LocationValues } from './location-fields.js';

export type Location = Outputs['locations']['get']['data'];

function valuesOf({ name, external_key, description, is_active }: Location): LocationValues {
  return { name, external_key, description: description ?? '', is_active };
}

const labels: Record<keyof LocationValues, string> = {
  name: t`Name`,
  external_key: t`Key`,
  description: t`Description`,
  is_active: t`Active`,
};

/** Changes a location. If somebody else has changed it meanwhile, the input is kept and their changes are shown. */
export function EditDialog({ location, onClose }: { location: Location; onClose: () => void }) {
  const { trpc, api, refresh } = useServer();
  // The state of the location with which the form began, or that was shown since.
  const [base, setBase] = useState(location);
  const [theirs, setTheirs] = useState<Location | null>(null);
  const form = useServerForm<LocationValues>({
    initialValues: valuesOf(location),
    send: (values) => save(values, base),
  });

  async function save(values: LocationValues, from: Location): Promise<void> {
    try {
      await saveFrom(values, from);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      setTheirs((await api.locations.get.query({ location_id: from.id })).data);
    }
  }

  async function saveFrom(values: LocationValues, from: Location): Promise<void> {
    const { data: changed } = await api.locations.update.mutate({
      location_id: from.id,
      updated_at: from.updated_at,
      name: values.name.trim(),
      description: values.description === '' ? null : values.description,
      is_active: values.is_active,
    });
    // The saved changes stay, even if the next request is refused.
    setBase(changed);
    setTheirs(null);
    const key = values.external_key.trim();
    if (key !== changed.external_key) {
      await api.locations.rename.mutate({ location_id: from.id, external_key: key });
    }
    await refresh(trpc.locations);
    notifications.show({ message: t`${changed.name} was saved` });
    onClose();
  }

  return (
    <FormModal isDirty={form.isDirty()} onClose={onClose} title={t`Edit ${location.name}`}>
      <form onSubmit={form.send} noValidate>
        <Stack>
          <LocationFields form={form} keyHint={t`How other systems know it. Letters, digits and hyphens.`} />
          {theirs && (
            <Outdated
              base={base}
              theirs={theirs}
              isBusy={form.submitting}
              onTake={() => {
                form.setValues(valuesOf(theirs));
                setBase(theirs);
                setTheirs(null);
              }}
              onKeep={() => void form.attempt(() => save(form.getValues(), theirs))}
            />
          )}
          <FormProblem problem={form.problem} />
          {!theirs && (
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
              <Button type="submit" loading={form.submitting}>{t`Save`}</Button>
            </Group>
          )}
        </Stack>
      </form>
    </FormModal>
  );
}

type OutdatedProps = {
  base: Location;
  theirs: Location;
  isBusy: boolean;
  onTake: () => void;
  onKeep: () => void;
};

function Outdated({ base, theirs, isBusy, onTake, onKeep }: OutdatedProps) {
  const [before, now] = [valuesOf(base), valuesOf(theirs)];
  const changed = (Object.keys(labels) as (keyof LocationValues)[]).filter((key) => before[key] !== now[key]);
  return (
    <Alert role="alert" color="orange" title={t`Somebody else changed this location meanwhile`}>
      <Stack gap="xs">
        {changed.length === 0 && <Text size="sm">{t`It was moved, or changed and changed back.`}</Text>}
        {changed.map((key) => (
          <Text size="sm" component="div" key={key}>
            <Trans>
              {labels[key]} is now: <UserText>{shown(now[key])}</UserText>
            </Trans>
          </Text>
        ))}
        <Text size="sm">{t`What you typed is still here.`}</Text>
        <Group gap="xs">
          <Button size="xs" loading={isBusy} onClick={onKeep}>{t`Save mine over it`}</Button>
          <Button size="xs" variant="default" onClick={onTake}>{t`Take theirs`}</Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function shown(value: string | boolean): string {
  if (typeof value === 'boolean') return value ? t`yes` : t`no`;
  return value === '' ? t`empty` : value;
}
