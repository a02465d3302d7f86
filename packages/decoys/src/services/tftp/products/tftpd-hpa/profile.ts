// tftpd-hpa 5.2 with `--secure --create` on a folder that its user may write: its errors, limits and times.

/** Code and text; a code 0 is an error of its system. */
export const ERRORS = {
  notFound: [1, 'File not found'],
  full: [3, 'Disk full or allocation exceeded'],
  cut: [4, 'Request not null-terminated'],
  noMode: [4, 'Missing mode'],
  unknownMode: [4, 'Unknown mode'],
  option: [8, 'Unsupported option(s) requested'],
  folder: [0, 'Is a directory'],
  longName: [0, 'File name too long'],
} as const

export type Failure = keyof typeof ERRORS

export const MODES: ReadonlySet<string> = new Set(['netascii', 'octet'])
export const BLOCK_BYTES = 512
export const MAX_BLOCK_BYTES = 65_464
/** Until a datagram is sent again; then twice as long each time. */
export const REPEAT_MS = 1_000
/** So many times that, and it gives up. */
export const MAX_REPEATS = 63
/** Of a part of a path, and of all of it (Linux). */
export const MAX_NAME_BYTES = 255
export const MAX_PATH_BYTES = 4_096
/** As its file system counts a folder (ext4). */
export const FOLDER_BYTES = 4_096
/** Of a file that is sent to it: a decoy keeps none, and is no place to test how much a disk holds. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024
