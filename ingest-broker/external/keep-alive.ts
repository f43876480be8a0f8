export type KeepAliveOptions = {
  everyMs: number;
  ping(): void;
  /** Returns whether the socket is not being read now, so that silence means nothing. */
  isPaused(): boolean;
  onSilence(): void;
};

/** Sends pings, and detects a dead peer ([MQTT-3.1.2-24]). */
export function createKeepAlive({ everyMs, ping, isPaused, onSilence }: KeepAliveOptions) {
  let wasReceived = true;
  let isStopped = false;
  // Bytes that have arrived count even if a busy process reads them late, since sockets are read after timers.
  const timer = setInterval(() => setImmediate(look), everyMs);

  function look(): void {
    if (isStopped) return;
    if (!wasReceived && !isPaused()) return onSilence();
    wasReceived = isPaused();
    ping();
  }

  return {
    received(): void {
      wasReceived = true;
    },
    stop(): void {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
