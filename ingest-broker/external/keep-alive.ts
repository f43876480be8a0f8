export type KeepAliveOptions = {
  everyMs: number;
  ping(): void;
  /** Whether the socket is not being read now, so that silence means nothing. */
  isDeaf(): boolean;
  onSilence(): void;
};

/** Sends pings, and detects a dead peer ([MQTT-3.1.2-24]). */
export function createKeepAlive({ everyMs, ping, isDeaf, onSilence }: KeepAliveOptions) {
  let wasHeard = true;
  const timer = setInterval(() => {
    if (!wasHeard && !isDeaf()) return onSilence();
    wasHeard = isDeaf();
    ping();
  }, everyMs);
  return {
    heard(): void {
      wasHeard = true;
    },
    stop: () => clearInterval(timer),
  };
}
