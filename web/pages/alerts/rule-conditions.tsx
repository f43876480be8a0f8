import { t } from '@lingui/core/macro';
import { Checkbox, Group, MultiSelect, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import {
  hasAssets,
  hasLimit,
  locationLabelOf,
  thresholdUnitOf,
  type Trigger,
  triggerNames,
} from '../../alerts/triggers.js';
import { useTRPC } from '../../api/trpc.js';
import { AssetSelect } from '../../ui/asset-select.js';
import { LocationSelect } from '../../ui/location-select.js';
import { ChosenList, withChoice } from './chosen-list.js';
import { type limitUnits, newRuleValues, type RuleValues } from './rule-values.js';

export type RuleForm = UseFormReturnType<RuleValues>;

const unitNames = { minutes: t`minutes`, hours: t`hours`, days: t`days` } as const satisfies Record<
  keyof typeof limitUnits,
  string
>;

const unitChoices = Object.entries(unitNames).map(([value, label]) => ({ value, label }));

/** What has to happen: the event, to which assets, where, and for how long. */
export function RuleConditions({ form }: { form: RuleForm }) {
  const { trigger } = form.values;

  function choose(next: Trigger): void {
    const { limit, limit_unit: unit, threshold } = newRuleValues(next);
    form.setValues({ trigger: next, threshold, ...(!hasLimit(trigger) && { limit, limit_unit: unit }) });
  }

  return (
    <Stack>
      <NativeSelect
        label={t`Tell me when`}
        data={Object.entries(triggerNames).map(([value, label]) => ({ value, label }))}
        value={trigger}
        onChange={(event) => choose(event.currentTarget.value as Trigger)}
      />
      {hasAssets(trigger) && <Assets form={form} />}
      <Locations form={form} />
      <Threshold form={form} />
      {hasLimit(trigger) && (
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <NumberInput
            label={t`For longer than`}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            w="9rem"
            {...form.getInputProps('limit')}
          />
          <NativeSelect label={t`Unit`} data={unitChoices} {...form.getInputProps('limit_unit')} />
        </Group>
      )}
    </Stack>
  );
}

/** The threshold for measured values, in whole numbers. */
function Threshold({ form }: { form: RuleForm }) {
  const { trigger } = form.values;
  const unit = thresholdUnitOf(trigger);
  if (unit === undefined) return null;
  return (
    <NumberInput
      label={trigger === 'asset.temperature_high' ? t`Above (${unit})` : t`Below (${unit})`}
      allowDecimal={false}
      w="9rem"
      {...form.getInputProps('threshold')}
    />
  );
}

function Assets({ form }: { form: RuleForm }) {
  const { assets, chosen_assets: chosen } = form.values;
  const trpc = useTRPC();
  const kinds = useQuery(trpc.assetKinds.list.queryOptions());
  return (
    <>
      <NativeSelect
        label={t`Which assets`}
        data={[
          { value: 'all', label: t`All assets` },
          { value: 'match', label: t`Assets with a certain name, key or detail` },
          { value: 'chosen', label: t`Selected assets` },
        ]}
        {...form.getInputProps('assets')}
      />
      {assets === 'match' && <AssetMatch form={form} />}
      {(kinds.data?.data.length ?? 0) > 0 && (
        <MultiSelect
          label={t`Of the kinds`}
          placeholder={form.values.kind_ids.length === 0 ? t`All kinds` : ''}
          data={kinds.data?.data.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          searchable
          {...form.getInputProps('kind_ids')}
        />
      )}
      {assets === 'chosen' && (
        <>
          <AssetSelect
            label={t`Add an asset`}
            value={null}
            error={form.errors['chosen_assets']}
            onChange={(added) => form.setFieldValue('chosen_assets', withChoice(chosen, added))}
          />
          <ChosenList
            label={t`Selected assets`}
            choices={chosen}
            onChange={(next) => form.setFieldValue('chosen_assets', next)}
          />
        </>
      )}
    </>
  );
}

function AssetMatch({ form }: { form: RuleForm }) {
  return (
    <Group align="flex-start" gap="xs">
      <NativeSelect
        label={t`Field`}
        data={[
          { value: 'name', label: t`Name` },
          { value: 'external_key', label: t`Key` },
          { value: 'metadata', label: t`Custom detail` },
        ]}
        {...form.getInputProps('match_field')}
      />
      {form.values.match_field === 'metadata' && (
        <TextInput label={t`Name of the detail`} required maxLength={255} {...form.getInputProps('metadata_key')} />
      )}
      <NativeSelect
        label={t`Comparison`}
        data={[
          { value: 'contains', label: t`contains` },
          { value: 'starts_with', label: t`starts with` },
          { value: 'equals', label: t`is` },
        ]}
        {...form.getInputProps('operator')}
      />
      <TextInput
        label={t`Text`}
        required
        maxLength={255}
        placeholder={t`Forklift`}
        {...form.getInputProps('match_value')}
      />
    </Group>
  );
}

function Locations({ form }: { form: RuleForm }) {
  const { trigger, locations } = form.values;
  const label = locationLabelOf(trigger);
  if (label === undefined) return null;
  return (
    <>
      <LocationSelect
        label={label}
        placeholder={locations.length === 0 ? t`Any location` : t`Add another location`}
        value={null}
        error={form.errors['locations']}
        onChange={(added) => form.setFieldValue('locations', withChoice(locations, added))}
      />
      <ChosenList
        label={t`Selected locations`}
        choices={locations}
        onChange={(next) => form.setFieldValue('locations', next)}
      />
      {locations.length > 0 && (
        <Checkbox
          label={t`Include sublocations`}
          {...form.getInputProps('include_sublocations', { type: 'checkbox' })}
        />
      )}
    </>
  );
}
