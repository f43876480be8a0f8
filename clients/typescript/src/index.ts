export * from './api.js';
export * from './events.js';
export { type Client, type ClientOptions, createClient } from './client.js';
export { WhereaboutsError } from './error.js';
export { eachRow } from './each-row.js';
