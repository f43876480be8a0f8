import { z } from 'zod';
import { assetFields, fieldsFor } from '../../kernel/fields.js';
import { fail, field } from '../../kernel/validation/failure.js';
import { idListField } from '../../kernel/validation/id-list.js';
import { idField } from '../../kernel/validation/fields.js';
import { descriptiveFields, metadataField, windowFields } from '../../kernel/validation/resource-fields.js';
import { detailKeyField } from '../../things/assets/table-input.js';

/** Assets of one edit. */
export const assetsPerEditMax = 1000;

/** Bytes of the custom details of all assets of one edit, before and after it, which the activity log keeps. */
export const detailBytesPerEditMax = 8_388_608;

const detailsMax = 50;

const fewDetails = field<Record<string, unknown>>(
  (value) => {
    const keys = Object.keys(value as Record<string, unknown>).length;
    if (keys <= detailsMax) return value as Record<string, unknown>;
    return fail('too_many_items', { max: detailsMax });
  },
  { type: 'object' },
);

/** The changes of an edit: omitted fields stay, and null clears a field. */
const changeFields = {
  ...descriptiveFields('patch'),
  ...windowFields('patch'),
  kind_id: idField('required').nullable().exactOptional(),
  belongs_to_id: idField('required').nullable().exactOptional(),
  /** Custom details to set, each completely. The database looks up each key in each asset. */
  set_details: metadataField('patch').pipe(fewDetails).exactOptional(),
  /** Keys of custom details to remove. */
  remove_details: z.array(detailKeyField).max(detailsMax).exactOptional(),
};

const changesObject = z.strictObject(changeFields);

export type BulkChanges = z.output<typeof changesObject>;

export const bulkEditInput = z.strictObject({ ids: idListField(assetsPerEditMax), ...changeFields });

/** The columns of assets that a bulk edit can change. */
export const editedColumns = fieldsFor(assetFields, 'bulk');

export type EditedColumn = (typeof editedColumns)[number];

/** Returns the columns that the changes touch. */
export function columnsOf(changes: BulkChanges): EditedColumn[] {
  const isDetailChange = changes.set_details !== undefined || changes.remove_details !== undefined;
  return editedColumns.filter((column) => (column === 'metadata' ? isDetailChange : changes[column] !== undefined));
}
