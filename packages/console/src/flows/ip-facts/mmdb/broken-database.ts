/** What makes a file no database that can be read, as the end of a sentence about the file. */
export class BrokenDatabase extends Error {}

/** The bytes of a file from `at` on; fewer than `length` at its end. */
export type ReadBytes = (at: number, length: number) => Buffer
