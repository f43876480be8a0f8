import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Paper, SegmentedControl, Slider, Stack, Text, TextInput } from '@mantine/core';
import { IconClock, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { zoneOffsetMs } from '../ui/formats.js';
import { exactTime, useFromNow } from '../ui/times.js';
import { instantWords, localInstant, localText, markWords, pointWords } from './instant.js';
import type { TimeTravel } from './use-time-travel.js';

const texts = {
  play: t`Replay, one hour per minute`,
  pause: t`Pause replay`,
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const spans = {
  day: { lengthMs: 24 * hourMs, stepMs: minuteMs, pageMs: hourMs, markMs: 6 * hourMs },
  week: { lengthMs: 168 * hourMs, stepMs: 10 * minuteMs, pageMs: 24 * hourMs, markMs: 24 * hourMs },
} as const;

type Span = keyof typeof spans;

/**
 * Chooses the instant that a page shows: with the pointer, with arrow keys in small steps and Page Up and Page Down in
 * large steps, or by typing. Replays from there.
 */
export function TimeSlider({ travel }: { travel: TimeTravel }) {
  // Updated once a minute, which is the resolution of the slider.
  const endMs = useFromNow((nowMs) => Math.ceil(nowMs / minuteMs) * minuteMs);
  // One millisecond earlier, so that the last minute of a day belongs to that day.
  const nowMs = endMs - 1;
  const { at, isPlaying, goTo, play, pause } = travel;
  const [span, setSpan] = useState<Span>(at !== null && nowMs - at > spans.day.lengthMs ? 'week' : 'day');
  const [dragged, setDragged] = useState<number | null>(null);
  const { lengthMs, stepMs, pageMs, markMs } = spans[span];
  const beginMs = endMs - lengthMs;
  const shownMs = dragged ?? at ?? endMs;
  const words = dragged === null && at === null ? t`Now (live)` : instantWords(shownMs, nowMs);

  function choose(ms: number): void {
    setDragged(null);
    goTo(ms >= Date.now() - stepMs ? null : ms);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const steps = { PageUp: pageMs, PageDown: -pageMs }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    choose(Math.max(beginMs, Math.min(endMs, shownMs + steps)));
  }

  return (
    <Paper withBorder p="sm" component="section" aria-label={t`Time`}>
      <Stack gap="sm">
        <Group gap="sm" justify="space-between">
          <Group gap="xs">
            <ActionIcon
              size={36}
              variant="default"
              aria-label={isPlaying ? texts.pause : texts.play}
              title={isPlaying ? texts.pause : texts.play}
              onClick={isPlaying ? pause : play}
            >
              {isPlaying ? (
                <IconPlayerPauseFilled size={18} aria-hidden />
              ) : (
                <IconPlayerPlayFilled size={18} aria-hidden />
              )}
            </ActionIcon>
            <Text fw={650} data-testid="time-shown" title={exactTime(shownMs)}>
              {words}
            </Text>
          </Group>
          <Group gap="xs">
            <ExactTime key={at ?? 'now'} at={at} nowMs={nowMs} onChoose={choose} />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconClock size={16} aria-hidden />}
              disabled={at === null && !isPlaying}
              onClick={() => goTo(null)}
            >
              {t`Now`}
            </Button>
            <SegmentedControl
              size="xs"
              aria-label={t`Range of the slider`}
              data={[
                { value: 'day', label: t`Last 24 hours` },
                { value: 'week', label: t`Last 7 days` },
              ]}
              value={span}
              onChange={(value) => setSpan(value)}
            />
          </Group>
        </Group>
        <Slider
          mx="md"
          mb="lg"
          min={beginMs}
          max={endMs}
          step={stepMs}
          marks={marksOf(beginMs, endMs, markMs).map((value) => ({ value, label: markWords(value) }))}
          value={Math.max(beginMs, Math.min(endMs, shownMs))}
          label={(value) => pointWords(value, nowMs)}
          thumbLabel={t`Time shown`}
          thumbProps={{ 'aria-valuetext': words }}
          thumbSize={24}
          onChange={setDragged}
          onChangeEnd={choose}
          onKeyDown={onKeyDown}
        />
      </Stack>
    </Paper>
  );
}

/** Returns the whole hours and days of a span by the local clock, without marks that are too close to its ends. */
function marksOf(beginMs: number, endMs: number, markMs: number): number[] {
  const offsetMs = -zoneOffsetMs(endMs);
  const first = Math.ceil((beginMs - offsetMs) / markMs) * markMs + offsetMs;
  const marks = Array.from({ length: Math.ceil((endMs - first) / markMs) }, (_, index) => first + index * markMs);
  return marks.filter((at) => at - beginMs > markMs / 4 && endMs - at > markMs / 4);
}

type ExactTimeProps = { at: number | null; nowMs: number; onChoose: (ms: number) => void };

/**
 * A typed instant is applied when the field loses focus or with Enter, since incomplete input stands for other
 * instants.
 */
function ExactTime({ at, nowMs, onChoose }: ExactTimeProps) {
  const before = at === null ? '' : localText(at);
  const [typed, setTyped] = useState(before);

  function choose(): void {
    const ms = localInstant(typed);
    if (typed !== before && !Number.isNaN(ms)) onChoose(ms);
  }

  return (
    <TextInput
      size="xs"
      type="datetime-local"
      aria-label={t`Exact time`}
      step={1}
      min={localText(nowMs - spans.week.lengthMs)}
      max={localText(nowMs)}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={choose}
      onKeyDown={(event) => {
        if (event.key === 'Enter') choose();
      }}
    />
  );
}
