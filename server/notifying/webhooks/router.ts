import { router } from '../../trpc.js';
import { getDelivery, listDeliveries, resend, sendTest } from './deliveries.js';
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  restoreEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from './endpoints.js';

/** Webhook endpoints and their deliveries; for administrators. */
export const webhooksRouter = router({
  list: listEndpoints,
  create: createEndpoint,
  update: updateEndpoint,
  delete: deleteEndpoint,
  restore: restoreEndpoint,
  rotateSecret: rotateEndpointSecret,
  sendTest,
  deliveries: listDeliveries,
  delivery: getDelivery,
  resend,
});
