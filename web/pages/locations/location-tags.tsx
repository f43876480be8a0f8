import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { FormProblem } from '../../api/server-form.js';
import { useServer } from '../../api/use-server.js';
import { cleanScan } from '../../scanning/scan-value.js';
import { Section } from '../../ui/section.js';
import { tagIdNotice } from '../../tags/tag-id-notice.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { EpcText } from '../../ui/epc-text.js';
import { TagBadge, type TagType } from '../../ui/tag-badge.js';
import { useServerForm } from '../../ui/use-server-form.js';
import type { Location } from './edit-dialog.js';

const types = [
  { value: 'barcode', label: t`Barcode` },
  { value: 'rfid', label: t`RFID` },
  { value: 'ble', label: t`BLE` },
];

/** The tags of the location itself. Scanning one sets the scan location. */
export function LocationTags({ location, canChange }: { location: Location; canChange: boolean }) {
  const { trpc, api, refresh } = useServer();

  const detach = useMutation({
    mutationFn: async (tagId: number) => {
      await api.tags.removeFromLocation.mutate({ location_id: location.id, tag_id: tagId });
      await refresh(trpc.locations);
    },
  });

  return (
    <Section title={t`Tags`} description={t`Scan one to set the handheld’s location.`}>
      {location.tags.length === 0 && <Text c="dimmed">{t`No tags yet`}</Text>}
      {location.tags.map(({ id, tag_type, value }) => (
        <Group key={id} gap="xs" wrap="nowrap" justify="space-between">
          <div style={{ minWidth: 0 }}>
            <TagBadge type={tag_type} value={value} />
            <EpcText type={tag_type} value={value} />
          </div>
          {canChange && (
            <ActionIcon aria-label={t`Detach ${value}`} onClick={() => detach.mutate(id)}>
              <IconX size={18} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      <FormProblem error={detach.error} />
      {canChange && <AttachTag locationId={location.id} />}
    </Section>
  );
}

function AttachTag({ locationId }: { locationId: number }) {
  const { trpc, api, refresh } = useServer();
  const form = useServerForm<{ tag_type: TagType; value: string }>({
    initialValues: { tag_type: 'barcode', value: '' },
    send: attach,
  });
  const guard = useLeaveGuard(form.values.value.trim() !== '');

  async function attach({ tag_type, value }: { tag_type: TagType; value: string }): Promise<void> {
    await api.tags.addToLocation.mutate({ location_id: locationId, tag_type, value: cleanScan(value) ?? '' });
    form.setFieldValue('value', '');
    await refresh(trpc.locations);
  }

  return (
    <form data-scan-target onSubmit={form.send}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-start">
          <NativeSelect label={t`Type`} data={types} w={110} {...form.getInputProps('tag_type')} />
          <TextInput
            label={t`Tag ID`}
            placeholder={t`Scan or type`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description={tagIdNotice(form.values.tag_type, form.values.value)}
            style={{ flex: '1 1 10rem' }}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('value')}
          />
        </Group>
        <FormProblem problem={form.problem} />
        <Group justify="flex-end">
          <Button type="submit" size="xs" variant="default" loading={form.submitting}>{t`Attach tag`}</Button>
        </Group>
      </Stack>
      {guard.question}
    </form>
  );
}
