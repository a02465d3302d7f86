// Ids of open files ([MS-SMB2] 2.2.14.1), kept as text: a peer may have many open, and each small buffer takes 400 bytes.

/** 16 bytes in hex. */
export type FileId = string

export const fileIdOf = (bytes: Buffer): FileId => bytes.toString('hex')

export const fileIdBytes = (id: FileId): Buffer => Buffer.from(id, 'hex')

/** Stands in the place of an open file: of none, or of that of the request before. */
export const NO_FILE: FileId = 'f'.repeat(32)
