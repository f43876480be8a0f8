import { t } from '@lingui/core/macro';
import type { ComponentType } from 'react';
import type { Outputs } from '../../api/trpc.js';
import { AssetStep } from './asset-step.js';
import { InviteStep } from './invite-step.js';
import { LocationStep } from './location-step.js';
import { ReaderStep } from './reader-step.js';
import type { StepProps } from './step-props.js';

export type StepId = 'location' | 'asset' | 'reader' | 'colleague';

export type Progress = Outputs['organizations']['firstSteps'];

type Step = { id: StepId; title: string; isDone: (progress: Progress) => boolean; Content: ComponentType<StepProps> };

export const steps: readonly Step[] = [
  { id: 'location', title: t`A location`, isDone: ({ has_location }) => has_location, Content: LocationStep },
  {
    id: 'asset',
    title: t`An asset with a tag`,
    isDone: ({ has_asset }) => has_asset,
    Content: AssetStep,
  },
  { id: 'reader', title: t`A reader`, isDone: ({ has_live_reader }) => has_live_reader, Content: ReaderStep },
  { id: 'colleague', title: t`A colleague`, isDone: ({ has_colleague }) => has_colleague, Content: InviteStep },
];

/** Returns the first step that is not done; null if all are done. */
export function firstOpenStep(progress: Progress): StepId | null {
  return steps.find(({ isDone }) => !isDone(progress))?.id ?? null;
}

/** Returns the step after another; null after the last. */
export function stepAfter(id: StepId): StepId | null {
  return steps[steps.findIndex((step) => step.id === id) + 1]?.id ?? null;
}
