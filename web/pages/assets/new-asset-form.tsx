import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Inputs } from '../../api/trpc.js';
import { useServer } from '../../api/use-server.js';
import { KindSelect } from '../../kinds/kind-select.js';
import { useLeaveGuard } from '../../ui/leave-guard.js';
import { LocationSelect } from '../../ui/location-select.js';
import type { Choice } from '../../ui/search-select.js';
import { ButtonLink } from '../../ui/links.js';
import { ServerForm } from '../../ui/server-form.js';
import { useServerForm } from '../../ui/use-server-form.js';
import { AssetFields } from './asset-fields.js';
import { type AssetValues, emptyValues, instantOf } from './asset-values.js';
import { metadataOf } from './metadata-values.js';
import { type DraftTag, NewTags } from './new-tags.js';
import { parseNewAssetSearch } from './new-asset-search.js';

type Values = AssetValues & {
  external_key: string;
  kind_id: number | null;
  belongs_to_id: Choice | null;
  tags: readonly DraftTag[];
};

export function NewAssetForm() {
  const { trpc, api, refresh } = useServer();
  const navigate = useNavigate();
  const given = parseNewAssetSearch(useSearch({ strict: false }));
  const form = useServerForm<Values>({
    initialValues: {
      ...emptyValues,
      name: given.name ?? '',
      external_key: '',
      kind_id: null,
      belongs_to_id: null,
      tags: given.tag === undefined ? [] : [{ id: 0, tag_type: given.tag_type ?? 'rfid', value: given.tag }],
    },
    send: create,
    fieldNames: { value: 'tags', tag_type: 'tags' },
  });

  const guard = useLeaveGuard(form.isDirty());

  async function create(values: Values): Promise<void> {
    const read = metadataOf(values.metadata);
    if ('problem' in read) {
      form.setFieldError('metadata', read.problem);
      return;
    }
    const { data } = await api.assets.createInApp.mutate(inputOf(values, read.metadata));
    await refresh(trpc.assets);
    notifications.show({ message: t`${data.name} created` });
    guard.release();
    await navigate({ to: '/assets/$assetId', params: { assetId: String(data.id) } });
  }

  return (
    <ServerForm
      form={form}
      submit={t`Create asset`}
      others={<ButtonLink variant="default" to="/assets" onClick={guard.release}>{t`Cancel`}</ButtonLink>}
    >
      {guard.question}
      <AssetFields form={form} />
      <KindSelect
        label={t`Kind`}
        none={t`None`}
        value={form.values.kind_id}
        error={form.errors['kind_id']}
        onChange={(kindId) => form.setFieldValue('kind_id', kindId)}
      />
      <LocationSelect
        label={t`Belongs to`}
        placeholder={t`None`}
        value={form.values.belongs_to_id}
        error={form.errors['belongs_to_id']}
        onChange={(location) => form.setFieldValue('belongs_to_id', location)}
      />
      <TextInput
        label={t`Key`}
        description={t`Letters, digits and hyphens. Leave blank for the next free key, such as ASSET-0001.`}
        maxLength={512}
        {...form.getInputProps('external_key')}
      />
      <NewTags
        value={form.values.tags}
        onChange={(tags) => form.setFieldValue('tags', tags)}
        error={form.errors['tags']}
      />
    </ServerForm>
  );
}

function inputOf(values: Values, metadata: Record<string, unknown>): Inputs['assets']['createInApp'] {
  const from = instantOf(values.valid_from, null);
  const to = instantOf(values.valid_to, null);
  const tags = values.tags.filter(({ value }) => value.trim() !== '');
  return {
    name: values.name.trim(),
    ...(values.external_key.trim() === '' ? {} : { external_key: values.external_key.trim() }),
    ...(values.description === '' ? {} : { description: values.description }),
    is_active: values.is_active,
    kind_id: values.kind_id,
    belongs_to_id: values.belongs_to_id?.id ?? null,
    ...(from === null ? {} : { valid_from: from }),
    ...(to === null ? {} : { valid_to: to }),
    metadata,
    tags: tags.map(({ tag_type, value }) => ({ tag_type, value: value.trim() })),
  };
}
