/** A message from which to make a field mapping; each request is a new object. */
export type MapFrom = { payload: string; topic: string };
