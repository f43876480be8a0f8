/** The command that runs the documentation's programs in Python. `npm test` leaves out the tests that import it where it is missing. */
export const python = 'python3';
