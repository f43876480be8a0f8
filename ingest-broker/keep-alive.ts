export type KeepAlive = {
  /** @param seconds as the CONNECT says; 0 is forever */
  start(seconds: number): void;
  /** Something came. */
  heard(): void;
  stop(): void;
};

/**
 * Notices a client from which nothing came for one and a half times its keep alive ([MQTT-3.1.2-24]). While nobody
 * listens, for want of room, its silence is not its own.
 */
export function createKeepAlive({ isListening, onSilence }: { isListening(): boolean; onSilence(): void }): KeepAlive {
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (isListening()) onSilence();
    else timer?.refresh();
  }

  return {
    start(seconds) {
      if (seconds > 0) timer = setTimeout(look, seconds * 1500);
    },
    heard: () => void timer?.refresh(),
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
