import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, FileButton, Group, SegmentedControl, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconPhotoPlus } from '@tabler/icons-react';
import { imageTypes } from '../../api/files.js';
import type { Outputs } from '../../api/trpc.js';
import { useFiles } from '../../api/use-image.js';
import { useServer } from '../../api/use-server.js';
import { type Kind, kindColors, KindIcon, KindPicture, kindPictures } from '../../kinds/kind-picture.js';
import { colorNames, iconNames } from '../../kinds/words.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { useServerForm } from '../../ui/use-server-form.js';

export type AssetKind = Outputs['assetKinds']['list']['data'][number];

type Values = Pick<Kind, 'name' | 'icon' | 'color' | 'image_id'> & { holds_assets: boolean };

const newKind: Values = { name: '', icon: 'box', color: 'blue', image_id: null, holds_assets: false };

/** Creates a kind, or changes one. */
export function KindDialog({ kind, onClose }: { kind: AssetKind | null; onClose: () => void }) {
  const { trpc, api, refresh } = useServer();
  const files = useFiles();
  const { name, icon, color, image_id, holds_assets } = kind ?? newKind;
  const form = useServerForm<Values>({ initialValues: { name, icon, color, image_id, holds_assets }, send: save });
  const { values } = form;

  async function save(given: Values): Promise<void> {
    const fields = { ...given, name: given.name.trim() };
    if (kind === null) await api.assetKinds.create.mutate(fields);
    else await api.assetKinds.update.mutate({ ...fields, id: kind.id, updated_at: kind.updated_at });
    await refresh(trpc.assetKinds);
    void refresh(trpc.assets);
    onClose();
  }

  async function upload(file: File): Promise<void> {
    const image = await files.uploadImage(file, { kind: 'photo' });
    form.setFieldValue('image_id', image.id);
  }

  return (
    <FormDialog form={form} title={kind ? t`Edit kind` : t`New kind`} submit={t`Save kind`} onClose={onClose}>
      <TextInput label={t`Name`} required data-autofocus maxLength={255} {...form.getInputProps('name')} />
      <Choices
        label={t`Icon`}
        value={values.icon}
        names={iconNames}
        pictureOf={(choice) => ({ ...values, icon: choice })}
        options={Object.keys(kindPictures) as Kind['icon'][]}
        onChange={(choice) => form.setFieldValue('icon', choice)}
      />
      <Choices
        label={t`Color`}
        value={values.color}
        names={colorNames}
        pictureOf={(choice) => ({ ...values, color: choice })}
        options={kindColors}
        onChange={(choice) => form.setFieldValue('color', choice)}
      />
      <Group gap="sm">
        <KindPicture kind={values} size={48} />
        <FileButton
          accept={imageTypes.join(',')}
          onChange={(file) => file && void form.attempt(() => upload(file))}
          inputProps={{ 'aria-label': t`Photo file` }}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" leftSection={<IconPhotoPlus size={16} aria-hidden />}>
              <Trans>Choose photo</Trans>
            </Button>
          )}
        </FileButton>
        {values.image_id !== null && (
          <Button size="xs" variant="default" onClick={() => form.setFieldValue('image_id', null)}>
            <Trans>Remove photo</Trans>
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">{t`The photo is shown for assets of this kind that have none.`}</Text>
      <Checkbox
        label={t`Holds things`}
        description={t`Such as a cart, a box or a pallet. On the Scan page, what is scanned after an asset of this kind goes into it.`}
        {...form.getInputProps('holds_assets', { type: 'checkbox' })}
      />
    </FormDialog>
  );
}

type ChoicesProps<Choice extends string> = {
  label: string;
  value: Choice;
  options: readonly Choice[];
  names: Record<Choice, string>;
  pictureOf: (choice: Choice) => Values;
  onChange: (choice: Choice) => void;
};

function Choices<Choice extends string>({ label, value, options, names, pictureOf, onChange }: ChoicesProps<Choice>) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <SegmentedControl
        aria-label={label}
        value={value}
        onChange={(choice) => onChange(choice)}
        styles={{ root: { flexWrap: 'wrap' }, control: { flex: '0 0 auto' }, indicator: { display: 'none' } }}
        data={options.map((choice) => ({
          value: choice,
          label: (
            <span title={names[choice]} style={{ display: 'flex', outline: choice === value ? '2px solid' : 'none' }}>
              <KindIcon kind={pictureOf(choice)} size={20} />
              <VisuallyHidden>{names[choice]}</VisuallyHidden>
            </span>
          ),
        }))}
      />
    </div>
  );
}
