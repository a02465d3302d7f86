// How large the append-only file is (append-only.ts).

/** Bytes. */
export interface AppendOnly {
  /** What the last rewrite made of the data set. */
  base: number
  /** Appended since that rewrite began. */
  appended: number
  /** Appended since the rewrite that runs began. */
  sinceRewrite: number
  /** The database of the last command. */
  db: number | undefined
  /** Of the buffer in which commands wait for the file: it grows, and goes once it is large. */
  buffer: number
}

/** Bytes. */
export const EMPTY_BUFFER = 8

export const newAppendOnly = (): AppendOnly => ({
  base: 0,
  appended: 0,
  sinceRewrite: 0,
  db: undefined,
  buffer: EMPTY_BUFFER,
})
