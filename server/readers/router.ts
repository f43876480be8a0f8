import { router } from '../trpc.js';
import { brokerAddress } from './broker-address.js';
import { createReader } from './create-reader.js';
import { deleteReader } from './delete-reader.js';
import { listReaders } from './list-readers.js';
import { rotateSecret } from './rotate-secret.js';
import { updateReader } from './update-reader.js';

/** The fixed readers of an organisation, run by its administrators. */
export const readersRouter = router({
  create: createReader,
  list: listReaders,
  update: updateReader,
  delete: deleteReader,
  rotateSecret,
  brokerAddress,
});
