import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconMap2, IconPencil, IconPhotoEdit, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { Suspense, useCallback, useState } from 'react';
import { useTRPC } from '../api/trpc.js';
import { useServer } from '../api/use-server.js';
import { Section } from '../pages/assets/section.js';
import { useSession } from '../session/context.js';
import type { TimeTravel } from '../time/use-time-travel.js';
import { ConfirmButton } from '../ui/confirm-button.js';
import { ProblemState } from '../ui/problem-state.js';
import { useIsPhone } from '../ui/use-is-phone.js';
import { AssetOnPlan } from './asset-on-plan.js';
import { ImageUpload } from './image-upload.js';
import type { Plan } from './plan-drawing.js';
import classes from './plans.module.css';
import { planHash, texts } from './texts.js';
import { lazyPart } from '../ui/lazy-part.js';

const PlanEditor = lazyPart(() => import('./editor/plan-editor.js'), 'PlanEditor');

type LocationPlanProps = {
  location: { id: number; name: string };
  /** The asset that is marked on the plan, if any. */
  assetId: number | undefined;
  onAsset: (assetId: number | undefined) => void;
  /** Which instant the page shows. */
  travel: TimeTravel;
};

/** The floor plan of a location, with its actions. If the location has no plan, managers can add one. */
export function LocationPlan({ location, assetId, onAsset, travel }: LocationPlanProps) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [doing, setDoing] = useState<'edit' | 'upload' | null>(null);
  const isPhone = useIsPhone();
  const found = useQuery(trpc.floorPlans.get.queryOptions({ location_id: location.id }));
  const plan = found.data;
  const isAskedFor = useRouterState({ select: ({ location: { hash } }) => hash === planHash });
  // The plan does not exist yet when the router looks for it.
  const reveal = useCallback(
    (node: HTMLDivElement | null) => {
      if (isAskedFor) node?.scrollIntoView();
    },
    [isAskedFor],
  );
  const upload = doing === 'upload' && (
    <UploadDialog locationId={location.id} plan={plan ?? null} onClose={() => setDoing(null)} />
  );

  if (found.error && plan === undefined) {
    return <ProblemState error={found.error} onRetry={() => void found.refetch()} />;
  }
  if (plan === undefined) return null;
  if (plan === null) {
    if (!can('manager')) return null;
    return (
      <Group gap="sm">
        <Button variant="default" leftSection={<IconMap2 size={18} aria-hidden />} onClick={() => setDoing('upload')}>
          {texts.add}
        </Button>
        <Text size="sm" c="dimmed">
          {texts.addHint}
        </Text>
        {upload}
      </Group>
    );
  }
  const actions = can('manager') && <PlanActions plan={plan} onChoose={setDoing} />;
  return (
    <div id={planHash} ref={reveal} className={classes['anchor']}>
      <Section title={texts.title} action={!isPhone && actions}>
        <AssetOnPlan plan={plan} name={location.name} assetId={assetId} onAsset={onAsset} travel={travel} />
        {isPhone && actions}
        {doing === 'edit' && (
          <Suspense fallback={null}>
            <PlanEditor plan={plan} name={location.name} onClose={() => setDoing(null)} />
          </Suspense>
        )}
        {upload}
      </Section>
    </div>
  );
}

function PlanActions({ plan, onChoose }: { plan: Plan; onChoose: (doing: 'edit' | 'upload') => void }) {
  const { trpc, api, refresh } = useServer();
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={() => onChoose('edit')}
      >
        {texts.edit}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPhotoEdit size={16} aria-hidden />}
        onClick={() => onChoose('upload')}
      >
        {texts.replace}
      </Button>
      <ConfirmButton
        size="xs"
        leftSection={<IconTrash size={16} aria-hidden />}
        question={texts.removeQuestion}
        consequence={texts.removeConsequence}
        confirm={texts.remove}
        onConfirm={async () => {
          await api.floorPlans.remove.mutate({ location_id: plan.location_id, updated_at: plan.updated_at });
          await refresh(trpc.floorPlans);
        }}
      >
        {texts.remove}
      </ConfirmButton>
    </Group>
  );
}

type UploadDialogProps = { locationId: number; plan: Plan | null; onClose: () => void };

function UploadDialog({ locationId, plan, onClose }: UploadDialogProps) {
  const { trpc, api, refresh } = useServer();
  return (
    <Modal opened onClose={onClose} title={plan ? texts.replaceQuestion : texts.add} size="lg">
      <Stack>
        {plan && <Text>{texts.replaceConsequence}</Text>}
        <ImageUpload
          onUploaded={async (imageId) => {
            const updatedAt = plan?.updated_at ?? null;
            await api.floorPlans.set.mutate({ location_id: locationId, image_id: imageId, updated_at: updatedAt });
            await refresh(trpc.floorPlans);
            onClose();
          }}
        />
      </Stack>
    </Modal>
  );
}
