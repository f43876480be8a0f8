import { t } from '@lingui/core/macro';

export const deliveryNames = { pending: t`Waiting`, delivered: t`Delivered`, failed: t`Failed` } as const;
export const deliveryColors = { pending: 'blue', delivered: 'green', failed: 'red' } as const;
