import { t } from '@lingui/core/macro';
import type { Outputs } from '../api/trpc.js';

export type PutInResult = Outputs['containers']['putIn']['results'][number];
export type TakenOutResult = Outputs['containers']['takeOut']['results'][number];

type Failure = Extract<PutInResult | TakenOutResult, { status: 'failed' }>['reason'];

/** Why an asset was not put into a container, or not taken out of one. */
export const failureTexts: Readonly<Record<Failure, string>> = {
  not_found: t`It was deleted.`,
  in_itself: t`An asset can’t be put into itself, or into what is in it.`,
  too_deep: t`Assets can be in each other at most four levels deep.`,
  container_full: t`The container is full: it holds at most 1,000 assets directly.`,
  changed_since: t`It was put in or taken out meanwhile.`,
  not_contained: t`It is in no container.`,
};
