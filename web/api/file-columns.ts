/** The columns of files, from the service's list of fields: a column without words and an example does not compile. */
export type { FileColumns } from '../../server/app/imports/columns.js';
