import { z } from 'zod';
import { tagsField, tagView } from '../tags/schemas.js';
import { keyParameter } from '../../kernel/validation/parameters.js';
import { nullableIdField, nullableTextField } from '../../kernel/validation/fields.js';
import { idParameter } from '../../kernel/validation/parameters.js';
import {
  descriptiveFields,
  readOnlyFields,
  keyField,
  keyRule,
  nameField,
  viewFields,
  windowFields,
} from '../../kernel/validation/resource-fields.js';

export const locationView = z
  .object({
    id: viewFields.id,
    external_key: viewFields.managedKey,
    name: z.string(),
    description: z.string().nullable(),
    parent_id: viewFields.nullableId,
    parent_external_key: z.string().nullable(),
    is_active: z.boolean(),
    valid_from: viewFields.timestamp,
    valid_to: viewFields.nullableTimestamp,
    created_at: viewFields.managedTimestamp,
    updated_at: viewFields.managedTimestamp,
    deleted_at: viewFields.nullableManagedTimestamp,
    tags: z.array(tagView).meta({ readOnly: true }),
  })
  .meta({ id: 'LocationView' });

export type LocationView = z.output<typeof locationView>;

export const locationResponse = z.object({ data: locationView });

export const locationId = { location_id: idParameter() };

/** Both forms of a parent reference; null is the root (contract 5.9). */
const parentFields = {
  parent_id: nullableIdField().exactOptional(),
  parent_external_key: nullableTextField(keyRule).exactOptional(),
};

export const parentFilters = {
  parent_id: idParameter().exactOptional(),
  parent_external_key: keyParameter(keyRule).exactOptional(),
};

export const createLocationInput = z.strictObject({
  name: nameField('create-string'),
  external_key: keyField('create-string').exactOptional(),
  ...descriptiveFields('create-default'),
  ...parentFields,
  ...windowFields('create-default'),
  tags: tagsField.optional(),
});

export type CreateLocation = z.output<typeof createLocationInput>;

export const updateLocationInput = z.strictObject({
  ...locationId,
  name: nameField('patch').exactOptional(),
  ...descriptiveFields('patch'),
  ...parentFields,
  ...windowFields('patch'),
  ...readOnlyFields,
});

export type UpdateLocation = z.output<typeof updateLocationInput>;
