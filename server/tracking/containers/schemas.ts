import { z } from 'zod';
import { contentsMax } from '../../kernel/database/containers.js';
import { submissionIdField } from '../../kernel/database/submissions.js';
import { pagingFields } from '../../kernel/lists.js';
import { idField, timestampField } from '../../kernel/validation/fields.js';
import { idListField } from '../../kernel/validation/id-list.js';
import { listField } from '../../kernel/validation/list-field.js';
import { idParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import { readShape, readsMax, valuesField } from '../scans/schemas.js';

const assetIds = idListField(contentsMax);

export const putInInput = z.strictObject({ container_id: idField('required'), asset_ids: assetIds });

export const takeOutInput = z.strictObject({
  asset_ids: assetIds,
  /** The container in which the person saw them: what was put elsewhere since stays there. */
  container_id: idField('required').exactOptional(),
});

export const undoPutInInput = z.strictObject({
  container_id: idField('required'),
  items: listField(z.strictObject({ asset_id: idField('required'), was_in_id: idField('required').nullable() }), {
    min: 1,
    max: contentsMax,
  }),
});

export const submitInput = z.strictObject({
  submission_id: submissionIdField,
  /** Scanned or chosen, before or after what is put in; null to take out. */
  container: readShape.nullable(),
  reads: listField(readShape, { min: 1, max: readsMax }),
  /** Values that were scanned before the reads: if one of them names a location, the reads begin at the last such location. */
  location_values: valuesField(readsMax).exactOptional(),
  observed_at: timestampField('create-default').exactOptional(),
  /** The time of the device when it sends, which corrects the other time. */
  sent_at: timestampField('create-default').exactOptional(),
});

export type SubmitInput = z.output<typeof submitInput>;

export const compareInput = z.strictObject({
  container_id: idField('required'),
  reads: listField(readShape, { min: 0, max: readsMax }),
});

export const containerInput = z.strictObject({ container_id: idParameter() });

export const assetInput = z.strictObject({ asset_id: idParameter() });

export const contentsInput = z.strictObject({ container_id: idParameter(), q: filterFields.q, ...pagingFields });

export const atInput = z.strictObject({ container_id: idParameter(), at: timestampParameter() });

export const pastInput = z.strictObject({ asset_id: idParameter(), ...pagingFields });
