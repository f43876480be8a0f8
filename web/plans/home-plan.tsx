import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Outputs, useTRPC } from '../api/trpc.js';
import { Section } from '../pages/assets/section.js';
import { AnchorLink } from '../ui/links.js';
import type { Plan } from './plan-drawing.js';
import { PlanPlaceholder, PlanView } from './plan-view.js';
import { texts } from './texts.js';
import { useLiveScene } from './use-plan.js';

type ListedPlan = Outputs['floorPlans']['list'][number];

/**
 * The floor plan of the site: the plan of the topmost location that has one, with a choice if there are several plans.
 */
export function HomePlan() {
  const trpc = useTRPC();
  const list = useQuery(trpc.floorPlans.list.queryOptions());
  const [chosenId, setChosenId] = useState<string | null>(null);
  const plans = list.data ?? [];
  const chosen = plans.find(({ location }) => String(location.id) === chosenId) ?? plans[0];
  if (!chosen) return null;
  return (
    <Section
      title={texts.title}
      action={
        plans.length > 1 ? (
          <Select
            aria-label={texts.choosePlan}
            size="xs"
            data={plans.map(({ location: { id, name } }) => ({ value: String(id), label: name }))}
            value={String(chosen.location.id)}
            onChange={setChosenId}
            allowDeselect={false}
          />
        ) : (
          <AnchorLink to="/locations/$locationId" params={{ locationId: String(chosen.location.id) }} size="sm">
            {chosen.location.name}
          </AnchorLink>
        )
      }
    >
      <ChosenPlan key={chosen.location.id} listed={chosen} />
    </Section>
  );
}

function ChosenPlan({ listed: { location, image } }: { listed: ListedPlan }) {
  const trpc = useTRPC();
  const { data: plan } = useQuery(trpc.floorPlans.get.queryOptions({ location_id: location.id }));
  return plan ? (
    <LivePlan plan={plan} name={location.name} />
  ) : plan === null ? null : (
    <PlanPlaceholder image={image} />
  );
}

function LivePlan({ plan, name }: { plan: Plan; name: string }) {
  const scene = useLiveScene(plan);
  return <PlanView key={plan.image.id} plan={plan} name={name} scene={scene} pin={null} />;
}
