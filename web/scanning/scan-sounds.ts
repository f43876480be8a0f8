/** The outcome of a scan, for its sound. */
export type ScanSound = 'placed' | 'waiting' | 'duplicate' | 'unknown' | 'location';

type Beep = { hz: number; ms: number; after?: number };

const melodies: Record<ScanSound, { beeps: readonly Beep[]; vibration: number[] }> = {
  placed: { beeps: [{ hz: 1320, ms: 90 }], vibration: [40] },
  waiting: { beeps: [{ hz: 990, ms: 90 }], vibration: [40] },
  duplicate: {
    beeps: [
      { hz: 660, ms: 60 },
      { hz: 660, ms: 60, after: 50 },
    ],
    vibration: [30, 50, 30],
  },
  unknown: { beeps: [{ hz: 220, ms: 320 }], vibration: [220] },
  location: {
    beeps: [
      { hz: 880, ms: 90 },
      { hz: 1320, ms: 140, after: 20 },
    ],
    vibration: [60, 40, 60],
  },
};

const volume = 0.25;
const fadeSeconds = 0.008;
const storageKey = 'whereabouts-scan-sounds';

/** Returns the setting of this device. */
export function areSoundsMuted(): boolean {
  return localStorage.getItem(storageKey) === 'off';
}

export function muteSounds(muted: boolean): void {
  localStorage.setItem(storageKey, muted ? 'off' : 'on');
}

export type ScanSounds = { play(sound: ScanSound): void; stop(): void };

/** Beeps and vibrations for scans. Browsers stay silent until somebody has touched a key or the screen once. */
export function createScanSounds(): ScanSounds {
  let audio: AudioContext | undefined;

  function beep(context: AudioContext, beeps: readonly Beep[]): void {
    let at = context.currentTime;
    for (const { hz, ms, after = 0 } of beeps) {
      at += after / 1000;
      const end = at + ms / 1000;
      const tone = context.createOscillator();
      const gain = context.createGain();
      tone.frequency.value = hz;
      // Without a ramp at both ends, the sound clicks.
      gain.gain.setValueAtTime(0, at);
      gain.gain.linearRampToValueAtTime(volume, at + fadeSeconds);
      gain.gain.setValueAtTime(volume, end - fadeSeconds);
      gain.gain.linearRampToValueAtTime(0, end);
      tone.connect(gain).connect(context.destination);
      tone.start(at);
      tone.stop(end);
      at = end;
    }
  }

  return {
    play(sound) {
      if (areSoundsMuted()) return;
      const { beeps, vibration } = melodies[sound];
      if ('vibrate' in navigator && navigator.userActivation.hasBeenActive) navigator.vibrate(vibration);
      if (!navigator.userActivation.hasBeenActive) return;
      audio ??= new AudioContext();
      if (audio.state === 'suspended') void audio.resume();
      beep(audio, beeps);
    },
    stop() {
      void audio?.close();
      audio = undefined;
    },
  };
}
