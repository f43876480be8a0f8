/** For `expect.poll`: the time limit on a busy machine. */
export const patience = { timeout: 30_000, interval: 20 };
