import { type RefObject, useEffect, useRef, useState } from 'react';
import { createDecoder, type Decoder, type FoundCode } from './decoder.js';
import { cleanScan } from './scan-value.js';

const pauseMs = 90;
/** A code that stays in the picture is one scan; away for so long, it is another one. */
const awayMs = 2000;
/** Without a check digit of their own they are easily misread, so they are believed at the second look. */
const weakFormats = new Set(['codabar', 'code_39', 'itf']);
const looksOfWeak = 2;

/** Turns what is found in picture after picture into scans. */
export function createSightings(onScan: (value: string) => void, now: () => number = () => performance.now()) {
  const seen = new Map<string, { lastAt: number; looks: number }>();
  return function look(codes: readonly FoundCode[]): void {
    const at = now();
    for (const [value, { lastAt }] of seen) if (at - lastAt > awayMs) seen.delete(value);
    for (const { value: text, format } of codes) {
      const value = cleanScan(text);
      if (value === undefined) continue;
      const looks = (seen.get(value)?.looks ?? 0) + 1;
      seen.set(value, { lastAt: at, looks });
      if (looks === (weakFormats.has(format) ? looksOfWeak : 1)) onScan(value);
    }
  };
}

export type DecodingState = 'loading' | 'ready' | 'failed';

/** Looks for codes in a playing video. */
export function useDecoding(
  video: RefObject<HTMLVideoElement | null>,
  onScan: (value: string) => void,
  running: boolean,
): DecodingState {
  const [state, setState] = useState<DecodingState>('loading');
  const latest = useRef(onScan);
  useEffect(() => {
    latest.current = onScan;
  });

  useEffect(() => {
    if (!running) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = createSightings((value) => latest.current(value));

    async function step(decode: Decoder): Promise<void> {
      const element = video.current;
      if (element && element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !document.hidden) {
        // A picture that cannot be read now is followed by others.
        const codes = await decode(element).catch(() => []);
        if (!isOver) look(codes);
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
  }, [video, running]);

  return state;
}
