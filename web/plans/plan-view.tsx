import { t } from '@lingui/core/macro';
import { Button, Collapse, Group, Skeleton, Stack, Switch, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFocusCentered, IconList } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useId, useState } from 'react';
import { useImage } from '../api/use-image.js';
import { ProblemState } from '../ui/problem-state.js';
import { levelRanges, rangeText } from './levels.js';
import type { Plan, PlanPin } from './plan-drawing.js';
import classes from './plans.module.css';
import { texts } from './texts.js';
import type { PlanScene } from './use-plan.js';
import { lazyPart } from '../ui/lazy-part.js';

const PlanCanvas = lazyPart(() => import('./plan-canvas.js'), 'PlanCanvas');

/** Loaded when it is first opened. */
const PlanList = lazyPart(() => import('./plan-list.js'), 'PlanList');

const noReaders: PlanScene['readers'] = [];

export type PlanViewProps = {
  plan: Plan;
  /** The location's name. */
  name: string;
  scene: PlanScene;
  pin: PlanPin | null;
};

/** A floor plan with its contents, a legend, and the contents as a list. */
export function PlanView({ plan, name, scene, pin }: PlanViewProps) {
  const navigate = useNavigate();
  const image = useImage(plan.image.id);
  const [isListed, { toggle }] = useDisclosure(false);
  const [hasReaders, setHasReaders] = useState(true);
  const [fitRequest, setFitRequest] = useState(0);
  const hintId = useId();
  const { width, height } = plan.image;

  const problem = image.error ?? (scene.counts ? undefined : scene.error);
  return (
    <Stack gap="xs">
      {Boolean(problem) && <ProblemState error={problem} onRetry={image.error ? image.retry : undefined} />}
      <div
        className={classes['frame']}
        style={{ aspectRatio: `${width} / ${height}` }}
        aria-describedby={hintId}
        aria-busy={image.url === undefined}
      >
        <Suspense fallback={<Skeleton height="100%" radius={0} />}>
          {image.url === undefined ? (
            <Skeleton height="100%" radius={0} animate={!image.error} />
          ) : (
            <PlanCanvas
              plan={plan}
              imageUrl={image.url}
              label={`${texts.title}: ${name}`}
              counts={scene.counts}
              readers={hasReaders ? scene.readers : noReaders}
              pin={pin}
              moves={scene.moves}
              fitRequest={fitRequest}
              onOpenLocation={(id) =>
                void navigate({ to: '/locations/$locationId', params: { locationId: String(id) } })
              }
              onOpenReader={(id) => void navigate({ to: '/readers/$readerId', params: { readerId: String(id) } })}
            />
          )}
        </Suspense>
      </div>
      <VisuallyHidden id={hintId}>{texts.keyboardHint}</VisuallyHidden>
      <Group justify="space-between" gap="xs">
        <Legend plan={plan} scene={scene} />
        <Group gap="xs">
          {scene.readers.length > 0 && (
            <Switch
              label={texts.readers}
              checked={hasReaders}
              onChange={(event) => setHasReaders(event.currentTarget.checked)}
            />
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconFocusCentered size={16} aria-hidden />}
            onClick={() => setFitRequest((before) => before + 1)}
          >
            {texts.fit}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconList size={16} aria-hidden />}
            aria-expanded={isListed}
            onClick={toggle}
          >
            {isListed ? texts.hideList : texts.showList}
          </Button>
        </Group>
      </Group>
      <Collapse expanded={isListed} keepMounted={false}>
        <Suspense fallback={<Skeleton height={120} />}>
          <PlanList plan={plan} scene={scene} />
        </Suspense>
      </Collapse>
    </Stack>
  );
}

/** A placeholder with the size of a plan while it is loaded; the size of the image is in pixels. */
export function PlanPlaceholder({ image: { width, height } }: { image: { width: number; height: number } }) {
  return (
    <Stack gap="xs" aria-busy="true">
      <div className={classes['frame']} style={{ aspectRatio: `${width} / ${height}` }}>
        <Skeleton height="100%" radius={0} />
      </div>
      <Skeleton height={30} />
    </Stack>
  );
}

function Legend({ plan, scene: { counts } }: Pick<PlanViewProps, 'plan' | 'scene'>) {
  const ids = plan.shapes.flatMap(({ location_id: id }) => id ?? []);
  if (ids.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.noShapes}
      </Text>
    );
  }
  const largest = Math.max(0, ...ids.map((id) => counts?.get(id) ?? 0));
  return (
    <Group gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t`${texts.legend} by color`}>
      <Text size="sm" c="dimmed" component="li">
        {texts.legend}
      </Text>
      {levelRanges(largest).map((range) => (
        <Text key={range.level} size="sm" component="li">
          <span className={classes['swatch']} data-level={range.level} aria-hidden /> {rangeText(range)}
        </Text>
      ))}
    </Group>
  );
}
