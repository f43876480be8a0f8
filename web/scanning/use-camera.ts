import { t } from '@lingui/core/macro';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { secureOnly } from '../browser/secure-context.js';

export type CameraProblem = 'insecure' | 'denied' | 'missing' | 'busy' | 'failed';

export type CameraState =
  | { status: 'starting' }
  | { status: 'failed'; problem: CameraProblem }
  | { status: 'running'; track: MediaStreamTrack; deviceId: string; cameras: Camera[] };

export type Camera = { id: string; label: string };

const problems: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Shows a camera in the video element while the component is mounted: the rear camera unless another one is chosen. */
export function useCamera(deviceId: string | undefined): [RefObject<HTMLVideoElement | null>, CameraState] {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>({ status: 'starting' });

  useEffect(() => {
    let isOver = false;
    let stream: MediaStream | undefined;
    const fail = (error: unknown) => {
      const name = error instanceof DOMException ? error.name : '';
      if (!isOver) setState({ status: 'failed', problem: problems[name] ?? 'failed' });
    };

    async function run(): Promise<void> {
      setState({ status: 'starting' });
      const { mediaDevices } = secureOnly;
      if (!mediaDevices) {
        setState({ status: 'failed', problem: 'insecure' });
        return;
      }
      stream = await openCamera(mediaDevices, deviceId);
      const [track] = stream.getVideoTracks();
      const element = video.current;
      if (isOver || !track || !element) {
        close(stream);
        return;
      }
      track.addEventListener('ended', () => fail(new DOMException('', 'NotReadableError')));
      element.srcObject = stream;
      await element.play();
      const cameras = await listCameras(mediaDevices);
      if (!isOver) setState({ status: 'running', track, deviceId: track.getSettings().deviceId ?? '', cameras });
    }

    run().catch(fail);
    return () => {
      isOver = true;
      close(stream);
    };
  }, [deviceId]);

  return [video, state];
}

async function openCamera(devices: MediaDevices, deviceId: string | undefined): Promise<MediaStream> {
  const which = deviceId === undefined ? { facingMode: { ideal: 'environment' } } : { deviceId: { exact: deviceId } };
  return devices.getUserMedia({
    audio: false,
    video: { ...which, width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

function close(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

async function listCameras(devices: MediaDevices): Promise<Camera[]> {
  const all = await devices.enumerateDevices();
  return all
    .filter(({ kind }) => kind === 'videoinput')
    .map(({ deviceId, label }, index) => ({ id: deviceId, label: label === '' ? t`Camera ${index + 1}` : label }));
}

/** Returns whether the camera has a light. It is an optional part of the standard. */
export function hasTorch(track: MediaStreamTrack): boolean {
  const capabilities = 'getCapabilities' in track ? track.getCapabilities() : {};
  return 'torch' in capabilities && capabilities.torch === true;
}

export async function setTorch(track: MediaStreamTrack, on: boolean): Promise<void> {
  await track.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] });
}
