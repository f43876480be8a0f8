export type KeepAliveOptions = {
  everyMs: number;
  ping(): void;
  /** Whether the socket is not being read now, so that silence means nothing. */
  isPaused(): boolean;
  onSilence(): void;
};

/** Sends pings, and detects a dead peer ([MQTT-3.1.2-24]). */
export function createKeepAlive({ everyMs, ping, isPaused, onSilence }: KeepAliveOptions) {
  let wasHeard = true;
  const timer = setInterval(() => {
    if (!wasHeard && !isPaused()) return onSilence();
    wasHeard = isPaused();
    ping();
  }, everyMs);
  return {
    received(): void {
      wasHeard = true;
    },
    stop: () => clearInterval(timer),
  };
}
