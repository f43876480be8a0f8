import { t } from '@lingui/core/macro';
import type { Outputs } from '../api/trpc.js';

type End = NonNullable<Outputs['containers']['past']['data'][number]['ended_by']>;

/** Who or what took an asset out of a container. */
export const endTexts: Readonly<Record<End, string>> = {
  person: t`Taken out by a person`,
  reads: t`Taken out by reads`,
  deletion: t`Deleted`,
};
