import { t } from '@lingui/core/macro';
import { quantity } from '../../ui/quantity.js';
import type { BulkAction } from './use-bulk.js';

type BulkTexts = {
  doing: (count: number) => string;
  progress: string;
  done: (count: number) => string;
  failed: (count: number) => string;
};

const texts = {
  delete: {
    doing: (count) => t`Deleting ${quantity(count, 'asset')} …`,
    progress: t`Deleting assets`,
    done: (count) => t`${quantity(count, 'asset')} deleted.`,
    failed: (count) => t`${quantity(count, 'asset')} could not be deleted`,
  },
  activate: {
    doing: (count) => t`Activating ${quantity(count, 'asset')} …`,
    progress: t`Activating assets`,
    done: (count) => t`${quantity(count, 'asset')} activated.`,
    failed: (count) => t`${quantity(count, 'asset')} could not be activated`,
  },
  deactivate: {
    doing: (count) => t`Deactivating ${quantity(count, 'asset')} …`,
    progress: t`Deactivating assets`,
    done: (count) => t`${quantity(count, 'asset')} deactivated.`,
    failed: (count) => t`${quantity(count, 'asset')} could not be deactivated`,
  },
  change: {
    doing: (count) => t`Changing ${quantity(count, 'asset')} …`,
    progress: t`Changing assets`,
    done: (count) => t`${quantity(count, 'asset')} changed.`,
    failed: (count) => t`${quantity(count, 'asset')} could not be changed`,
  },
} as const satisfies Record<string, BulkTexts>;

/** Returns the messages of a bulk action while it runs and afterwards. */
export function bulkTexts(action: BulkAction): BulkTexts {
  if (action === 'delete') return texts.delete;
  const isStatusAlone = Object.keys(action).length === 1;
  if (isStatusAlone && action.is_active === true) return texts.activate;
  if (isStatusAlone && action.is_active === false) return texts.deactivate;
  return texts.change;
}
