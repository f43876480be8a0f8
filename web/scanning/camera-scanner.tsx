import { t } from '@lingui/core/macro';
import { ActionIcon, Alert, Button, Group, Loader, Select, Stack, Text } from '@mantine/core';
import { IconBulb, IconBulbOff, IconCameraOff } from '@tabler/icons-react';
import { useState } from 'react';
import { UserText } from '../ui/user-text.js';
import classes from './camera-scanner.module.css';
import { type CameraProblem, hasTorch, setTorch, useCamera } from './use-camera.js';
import { useDecoding } from './use-decoding.js';

const words: Record<CameraProblem, { title: string; text: string }> = {
  insecure: {
    title: t`The camera needs a secure address`,
    text: t`Browsers allow the camera only on https:// addresses. Ask your administrator for that address.`,
  },
  denied: {
    title: t`Camera access is blocked`,
    text: t`Allow the camera for this site in the browser’s settings, then try again.`,
  },
  missing: {
    title: t`No camera found`,
    text: t`This device has no camera, or it is not connected. You can use a keyboard scanner instead.`,
  },
  busy: { title: t`The camera is in use`, text: t`Close other apps that use the camera, then try again.` },
  failed: { title: t`The camera did not start`, text: t`Try again. If that does not help, use a keyboard scanner.` },
};

export type CameraScannerProps = {
  /** Called once for a code that comes into the frame, with its value in the form of a tag value. */
  onScan: (value: string) => void;
};

/** Shows the picture of the camera and finds barcodes and QR codes in it. Runs while it is shown. */
export function CameraScanner({ onScan }: CameraScannerProps) {
  const [attempt, setAttempt] = useState(0);
  return <CameraPicture key={attempt} onScan={onScan} onRetry={() => setAttempt(attempt + 1)} />;
}

function CameraPicture({ onScan, onRetry }: CameraScannerProps & { onRetry: () => void }) {
  const [chosen, setChosen] = useState<string>();
  const [video, camera] = useCamera(chosen);
  const [several, setSeveral] = useState<string[]>([]);
  const decoding = useDecoding(video, {
    isRunning: camera.status === 'running',
    isPaused: several.length > 0,
    onFound(values) {
      const [value] = values;
      if (values.length > 1) setSeveral(values);
      else if (value !== undefined) onScan(value);
    },
  });

  if (camera.status === 'failed') {
    const { title, text } = words[camera.problem];
    return (
      <Alert role="alert" color="red" icon={<IconCameraOff />} title={title}>
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{text}</Text>
          {camera.problem !== 'insecure' && (
            <Button variant="default" size="sm" onClick={onRetry}>{t`Try again`}</Button>
          )}
        </Stack>
      </Alert>
    );
  }
  return (
    <Stack gap="xs">
      <div className={classes['frame']} ref={showFrame}>
        {/* A live picture cannot have captions. */}
        <video ref={video} className={classes['video']} muted playsInline aria-label={t`Camera picture`} />
        <div className={classes['aim']} aria-hidden />
        {camera.status === 'starting' && (
          <div className={classes['veil']}>
            <Loader color="white" aria-label={t`Starting the camera`} />
          </div>
        )}
      </div>
      {several.length > 0 && (
        <SeveralCodes
          values={several}
          onChoose={(value) => {
            setSeveral([]);
            if (value !== undefined) onScan(value);
          }}
        />
      )}
      <Group justify="space-between" wrap="nowrap">
        <Text component="output" size="sm" c={decoding === 'failed' ? 'red' : 'dimmed'}>
          {statusWords(camera.status, decoding)}
        </Text>
        {camera.status === 'running' && (
          <Group gap="xs" wrap="nowrap">
            <Torch track={camera.track} />
            {camera.cameras.length > 1 && (
              <Select
                aria-label={t`Camera`}
                data={camera.cameras.map(({ id, label }) => ({ value: id, label }))}
                value={camera.deviceId}
                onChange={(id) => setChosen(id ?? undefined)}
                allowDeselect={false}
              />
            )}
          </Group>
        )}
      </Group>
    </Stack>
  );
}

/** Scrolls to the picture of the camera, which may open below the window. */
function showFrame(frame: HTMLDivElement | null): void {
  frame?.scrollIntoView({ block: 'center' });
}

/** Asks which of the codes in the frame is meant. */
function SeveralCodes({ values, onChoose }: { values: string[]; onChoose: (value: string | undefined) => void }) {
  return (
    <Alert color="blue" role="alert" title={t`Several codes in the frame`}>
      <Stack gap="xs" align="stretch">
        <Text size="sm">{t`Which one do you mean?`}</Text>
        {values.map((value) => (
          <Button key={value} size="md" variant="default" ff="monospace" onClick={() => onChoose(value)}>
            <UserText lines={1}>{value}</UserText>
          </Button>
        ))}
        <Button size="md" variant="subtle" onClick={() => onChoose(undefined)}>{t`None of them`}</Button>
      </Stack>
    </Alert>
  );
}

function statusWords(camera: 'starting' | 'running', decoding: ReturnType<typeof useDecoding>): string {
  if (decoding === 'failed') return t`The barcode reader could not be loaded. Check your connection.`;
  return camera === 'starting' || decoding === 'loading' ? t`Starting the camera…` : t`Point the camera at a code`;
}

function Torch({ track }: { track: MediaStreamTrack }) {
  const [isOn, setOn] = useState(false);
  if (!hasTorch(track)) return null;
  const turn = () => {
    setTorch(track, !isOn).then(
      () => setOn(!isOn),
      () => setOn(false),
    );
  };
  return (
    <ActionIcon variant="default" size="lg" aria-label={t`Light`} aria-pressed={isOn} onClick={turn}>
      {isOn ? <IconBulb /> : <IconBulbOff />}
    </ActionIcon>
  );
}
