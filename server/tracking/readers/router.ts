import { router } from '../../trpc.js';
import { deleteManyReaders, updateManyReaders } from './bulk.js';
import { brokerAddress } from './broker-address.js';
import { createReader } from './create-reader.js';
import { deleteReader } from './delete-reader.js';
import { getReader } from './get-reader.js';
import { listNotes } from './list-notes.js';
import { listReaders } from './list-readers.js';
import { overviewReaders } from './overview.js';
import { proposeMapping } from './propose-mapping.js';
import { restoreReader } from './restore-reader.js';
import { rotateSecret } from './rotate-secret.js';
import { sendTestRead } from './send-test-read.js';
import { tryMapping } from './try-mapping.js';
import { updateReader } from './update-reader.js';

/** The fixed readers of an organization. Administrators manage them; all members see their status. */
export const readersRouter = router({
  create: createReader,
  list: listReaders,
  update: updateReader,
  delete: deleteReader,
  restore: restoreReader,
  updateMany: updateManyReaders,
  deleteMany: deleteManyReaders,
  rotateSecret,
  brokerAddress,
  overview: overviewReaders,
  get: getReader,
  notes: listNotes,
  proposeMapping,
  tryMapping,
  sendTestRead,
});
