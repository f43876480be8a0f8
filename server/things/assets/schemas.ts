import { z } from 'zod';
import { tagsField, tagView } from '../tags/schemas.js';
import { fail, field } from '../../kernel/validation/failure.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import {
  descriptiveFields,
  readOnlyFields,
  keyField,
  metadataField,
  nameField,
  viewFields,
  windowFields,
} from '../../kernel/validation/resource-fields.js';

export const assetView = z
  .object({
    id: viewFields.id,
    external_key: viewFields.managedKey,
    name: z.string(),
    description: z.string().nullable(),
    is_active: z.boolean(),
    metadata: z.record(z.string(), z.unknown()).meta({ override: { type: 'object', additionalProperties: true } }),
    valid_from: viewFields.timestamp,
    valid_to: viewFields.nullableTimestamp,
    created_at: viewFields.managedTimestamp,
    updated_at: viewFields.managedTimestamp,
    deleted_at: viewFields.nullableManagedTimestamp,
    tags: z.array(tagView).meta({ readOnly: true }),
  })
  .meta({ id: 'AssetView' });

export type AssetView = z.output<typeof assetView>;

export const assetResponse = z.object({ data: assetView });

export const assetId = { asset_id: idParameter() };

/**
 * The location is scan data and never written through the API. If the key is present, the request is rejected before
 * any other check (contract 5.6).
 */
const scanData = field<never>(() => fail('location_read_only', undefined, 'presence'), { not: {} }).exactOptional();

const scanDataFields = { location_id: scanData, location_external_key: scanData };

export const createAssetInput = z.strictObject({
  name: nameField('create-string'),
  external_key: keyField('create-string').exactOptional(),
  ...descriptiveFields('create-default'),
  metadata: metadataField('create-default').exactOptional(),
  ...windowFields('create-default'),
  tags: tagsField.optional(),
  ...scanDataFields,
});

export type CreateAsset = z.output<typeof createAssetInput>;

export const updateAssetInput = z.strictObject({
  ...assetId,
  name: nameField('patch').exactOptional(),
  ...descriptiveFields('patch'),
  metadata: metadataField('patch').exactOptional(),
  ...windowFields('patch'),
  ...readOnlyFields,
  ...scanDataFields,
});
