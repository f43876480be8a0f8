export type KeepAlive = {
  /** @param seconds from the CONNECT; 0 is forever */
  start(seconds: number): void;
  /** Notes that something was received. */
  received(): void;
  stop(): void;
};

/**
 * Detects a client that has sent nothing for one and a half times its keep-alive ([MQTT-3.1.2-24]), or has not read its
 * answers for as long. While its socket is not read because of a limit, its silence does not count.
 */
export function createKeepAlive({ isListening, onSilence }: { isListening(): boolean; onSilence(): void }): KeepAlive {
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;

  /**
   * Ends the interval. Bytes that have arrived count even if a busy process reads them late, since sockets are read
   * after timers.
   */
  function look(): void {
    isDue = true;
    setImmediate(conclude);
  }

  function conclude(): void {
    if (!isDue) return;
    isDue = false;
    if (isListening()) onSilence();
    else timer?.refresh();
  }

  return {
    start(seconds) {
      if (seconds > 0) timer = setTimeout(look, seconds * 1500);
    },
    received() {
      isDue = false;
      timer?.refresh();
    },
    stop() {
      isDue = false;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
