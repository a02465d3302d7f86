// How large the tests are. `npm test` asks each claim in a form of a second or two (TESTS_OF_ROOKERY=short); a file that is named
// runs whole, and `npm run gate -- G14` runs all of them whole.
export const isShort = process.env['TESTS_OF_ROOKERY'] === 'short'

/** A count of a whole run, or what stands for it in `npm test`. */
export const sized = (whole: number, short: number): number => (isShort ? short : whole)
