import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  Checkbox,
  FileButton,
  Group,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPhotoPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Problem, problemOf } from '../../api/errors.js';
import { imageTypes } from '../../api/files.js';
import { applyProblem, FormProblem } from '../../api/server-form.js';
import { type Outputs, useTRPC, useTRPCClient } from '../../api/trpc.js';
import { useFiles } from '../../api/use-image.js';
import { type Kind, kindColors, KindIcon, KindPicture, kindPictures } from '../../kinds/kind-picture.js';
import { colorNames, iconNames } from '../../kinds/words.js';
import { FormModal } from '../../ui/form-modal.js';

export type AssetKind = Outputs['assetKinds']['list']['data'][number];

type Values = Pick<Kind, 'name' | 'icon' | 'color' | 'image_id'> & { holds_assets: boolean };

const newKind: Values = { name: '', icon: 'box', color: 'blue', image_id: null, holds_assets: false };

/** Creates a kind, or changes one. */
export function KindDialog({ kind, onClose }: { kind: AssetKind | null; onClose: () => void }) {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const files = useFiles();
  const [problem, setProblem] = useState<Problem | null>(null);
  const { name, icon, color, image_id, holds_assets } = kind ?? newKind;
  const form = useForm<Values>({ initialValues: { name, icon, color, image_id, holds_assets } });
  const { values } = form;

  async function save(given: Values): Promise<void> {
    setProblem(null);
    const fields = { ...given, name: given.name.trim() };
    try {
      if (kind === null) await api.assetKinds.create.mutate(fields);
      else await api.assetKinds.update.mutate({ ...fields, id: kind.id, updated_at: kind.updated_at });
      await answers.invalidateQueries(trpc.assetKinds.pathFilter());
      void answers.invalidateQueries(trpc.assets.pathFilter());
      onClose();
    } catch (error) {
      setProblem(applyProblem(form, error));
    }
  }

  async function upload(file: File | null): Promise<void> {
    if (!file) return;
    setProblem(null);
    try {
      const image = await files.uploadImage(file, { kind: 'photo', onProgress: () => undefined });
      form.setFieldValue('image_id', image.id);
    } catch (error) {
      setProblem(problemOf(error));
    }
  }

  return (
    <FormModal isDirty={form.isDirty()} onClose={onClose} title={kind ? t`Edit kind` : t`New kind`}>
      <form onSubmit={form.onSubmit(save)} noValidate>
        <Stack>
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
              onChange={(file) => void upload(file)}
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
          <FormProblem problem={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
            <Button type="submit" loading={form.submitting}>{t`Save kind`}</Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
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
