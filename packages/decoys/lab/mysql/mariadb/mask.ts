// What differs between two connections to one server: the number of the thread, and the salt.
const GREETING = /^(.{3}\0\x0a[^\0]*\0)(.{4})(.{8})(\0.{18})(.{12})\0/s
const SWITCH = /(.{3}[\x01-\x04]\xfe[a-z0-9_]+\0)([!-~]{20})\0/gs

export const maskThread = (text: string): string => text.replace(GREETING, '$1THRD$3$4$5\0')

export const maskSalt = (text: string): string =>
  text.replace(GREETING, `$1$2${'S'.repeat(8)}$4${'S'.repeat(12)}\0`).replace(SWITCH, `$1${'S'.repeat(20)}\0`)

/** With it, the length of the message varies. */
const WITH_ADDRESS = /..(\0.\xff(?:\x15|j)\x04[^\0]*?)127\.\d+\.\d+\.\d+/gs

export const maskAddress = (text: string): string => text.replace(WITH_ADDRESS, 'LL$1127.x.x.x')

export const mask = (text: string): string => maskSalt(maskThread(text))
