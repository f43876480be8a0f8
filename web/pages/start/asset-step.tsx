import { t } from '@lingui/core/macro';
import { NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useServer } from '../../api/use-server.js';
import { tagIdNotice } from '../../tags/tag-id-notice.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { ServerForm } from '../../ui/server-form.js';
import type { TagType } from '../../ui/tag-badge.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { SkipButton } from './skip-button.js';
import type { StepProps } from './step-props.js';

const tagTypes: { value: TagType; label: string }[] = [
  { value: 'rfid', label: t`RFID` },
  { value: 'ble', label: t`Bluetooth (BLE)` },
  { value: 'barcode', label: t`Barcode or QR code` },
];

type Values = { name: string; tag_type: TagType; value: string };

export function AssetStep({ onNext }: StepProps) {
  const { trpc, api, refresh } = useServer();
  const form = useServerForm<Values>({ initialValues: { name: '', tag_type: 'rfid', value: '' }, send: create });
  const guard = useLeaveGuard(form.isDirty() && !form.submitting);

  async function create({ name, tag_type, value }: Values): Promise<void> {
    const { data } = await api.assets.create.mutate({ name, tags: [{ tag_type, value }] });
    await refresh(trpc.assets, trpc.organizations);
    notifications.show({ message: t`${data.name} created (${data.external_key})` });
    form.reset();
    onNext();
  }

  return (
    <ServerForm form={form} submit={t`Create asset`} others={<SkipButton onSkip={onNext} />}>
      <Text>{t`Something you want to track. Readers identify it by its tag: an RFID label, a Bluetooth beacon, a barcode.`}</Text>
      <TextInput label={t`Name`} placeholder={t`Pallet truck`} required {...form.getInputProps('name')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect label={t`Tag type`} data={tagTypes} {...form.getInputProps('tag_type')} />
        <TextInput
          label={t`Tag ID`}
          placeholder="E2801190"
          required
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={tagIdNotice(form.values.tag_type, form.values.value)}
          {...form.getInputProps('value')}
        />
      </SimpleGrid>
      {guard.question}
    </ServerForm>
  );
}
