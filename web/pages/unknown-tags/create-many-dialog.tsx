import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { List, NativeSelect, NumberInput, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useServer } from '../../api/use-server.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { numberText, quantity } from '../../ui/quantity.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { UserText } from '../../ui/user-text.js';
import { firstNumber, nameFrom } from './name-pattern.js';
import { tagTypes } from './tag-types.js';
import { valueOf } from './unknown-value.js';

/** Assets of one request of the service. */
const createdAtOnceMax = 500;
const previewed = 5;

type CreateManyDialogProps = { chosen: ReadonlySet<string>; onClose: () => void; onDone: () => void };

/** Creates an asset for each of the chosen tags, with names from a pattern: all assets or none. */
export function CreateManyDialog({ chosen, onClose, onDone }: CreateManyDialogProps) {
  const { trpc, api, refresh } = useServer();
  const form = useServerForm<{ pattern: string; start: number | string; tag_type: string }>({
    initialValues: { pattern: 'Asset {n}', start: 1, tag_type: 'barcode' },
    validate: { pattern: (pattern) => (pattern.trim() === '' ? t`Enter a name pattern` : null) },
    send: create,
  });
  const tags = [...chosen].map(valueOf);
  const { pattern, start, tag_type: otherType } = form.values;
  const typeOf = (type: string | null) =>
    tagTypes.find(({ value }) => value === (type ?? otherType))?.value ?? 'barcode';
  const assets = tags.map(({ tag_type, value }, index) => ({
    name: nameFrom(pattern, { number: firstNumber(start) + index, tag: value, count: tags.length }),
    tag_type: typeOf(tag_type),
    value,
  }));
  async function create(): Promise<void> {
    const { assets: created } = await api.assets.createMany.mutate({ assets });
    await refresh(trpc.assets, trpc.scans);
    onDone();
    notifications.show({
      message: t`${quantity(created.length, 'asset')} created. The next reads set their locations.`,
    });
  }

  const isTooMany = tags.length > createdAtOnceMax;
  return (
    <FormDialog
      form={form}
      title={t`Create ${quantity(tags.length, 'asset')}`}
      submit={t`Create ${quantity(tags.length, 'asset')}`}
      isDisabled={isTooMany}
      onClose={onClose}
    >
      <TextInput
        label={t`Name pattern`}
        description={t`${'{n}'} is replaced by a number, ${'{tag}'} by the tag ID.`}
        required
        maxLength={200}
        data-autofocus
        {...form.getInputProps('pattern')}
      />
      {pattern.includes('{n}') && (
        <NumberInput
          label={t`First number`}
          min={0}
          max={999_999_999}
          allowDecimal={false}
          {...form.getInputProps('start')}
        />
      )}
      {tags.some(({ tag_type }) => tag_type === null) && (
        <NativeSelect
          label={t`Tag type of tags without one`}
          description={t`Some tags were read by a handheld that did not report a type.`}
          data={tagTypes}
          {...form.getInputProps('tag_type')}
        />
      )}
      <div>
        <Text size="sm" fw={550} id="create-many-preview">
          {t`Preview`}
        </Text>
        <List size="sm" aria-labelledby="create-many-preview">
          {assets.slice(0, previewed).map(({ name, value }) => (
            <List.Item key={value}>
              <UserText>{name}</UserText> (<UserText>{value}</UserText>)
            </List.Item>
          ))}
        </List>
        {assets.length > previewed && (
          <Text size="sm" c="dimmed">
            <Trans>and {numberText(assets.length - previewed)} more</Trans>
          </Text>
        )}
      </div>
      {isTooMany && <Text c="red">{t`Select at most ${createdAtOnceMax} tags.`}</Text>}
    </FormDialog>
  );
}
