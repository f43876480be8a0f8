/** What came back over HTTP. `body` is the parsed JSON, or undefined where there was none. */
export type Answer = { status: number; headers: Record<string, string>; text: string; body: any };
