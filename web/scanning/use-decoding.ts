import { type RefObject, useEffect, useRef, useState } from 'react';
import { createDecoder, type Decoder } from './decoder.js';
import { codesWithin, framedArea } from './found-codes.js';
import { createSightings } from './sightings.js';

const pauseMs = 90;

export type DecodingState = 'loading' | 'ready' | 'failed';

export type DecodingOptions = {
  isRunning: boolean;
  /** Called with the values of codes that came into the frame together. */
  onFound: (values: string[]) => void;
  /** Whether the person is choosing between codes; no other codes are accepted meanwhile. */
  isPaused: boolean;
};

/** Searches for codes within the frame over a playing video. */
export function useDecoding(
  video: RefObject<HTMLVideoElement | null>,
  { isRunning, ...now }: DecodingOptions,
): DecodingState {
  const [state, setState] = useState<DecodingState>('loading');
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });

  useEffect(() => {
    if (!isRunning) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = createSightings();

    async function step(decode: Decoder): Promise<void> {
      const element = video.current;
      if (element && element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !document.hidden) {
        // If a picture cannot be decoded, the next ones follow.
        const codes = await decode(element).catch(() => []);
        const picture = { width: element.videoWidth, height: element.videoHeight };
        const box = { width: element.clientWidth, height: element.clientHeight };
        const found = look(codesWithin(codes, framedArea(picture, box)), latest.current.isPaused);
        if (!isOver && found.length > 0) latest.current.onFound(found);
      }
      if (!isOver) timer = setTimeout(() => void step(decode), pauseMs);
    }

    createDecoder().then(
      (decode) => {
        if (isOver) return undefined;
        setState('ready');
        return step(decode);
      },
      () => {
        if (!isOver) setState('failed');
      },
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [video, isRunning]);

  return state;
}
