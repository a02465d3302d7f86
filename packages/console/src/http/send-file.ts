// Sends files as downloads. They lie in memory until their reader has taken them, so they are bounded together.
import type { FastifyReply } from 'fastify'
import type { FileAnswer } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'

/** `unavailable` when readers have not taken too much yet. */
export type SendFile = (reply: FastifyReply, file: FileAnswer) => FastifyReply

/** Files that wait for their readers; further downloads are answered with 503. */
const DOWNLOAD_BYTES = limit('downloads_in_memory_bytes', 32 * 1024 * 1024)
/** A reader who takes nothing for this time is disconnected. */
const STALLED_MS = 10_000
const RETRY_AFTER_S = 5

export function fileSender({
  max,
  hit,
}: Pick<typeof DOWNLOAD_BYTES, 'max' | 'hit'> = DOWNLOAD_BYTES): SendFile {
  let inMemory = 0
  return (reply, { filename, contentType, bytes }) => {
    const length = Buffer.byteLength(bytes)
    if (inMemory > 0 && inMemory + length > max) {
      hit()
      throw new Fault(
        'unavailable',
        `Too many files are being downloaded. Try again in ${RETRY_AFTER_S} s.`,
        { retryAfterS: RETRY_AFTER_S },
      )
    }
    inMemory += length
    reply.raw.once('close', () => (inMemory -= length))
    reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy())
    return reply
      .header('Content-Disposition', attachment(filename))
      .header('Content-Type', contentType)
      .send(bytes)
  }
}

/** The header of a download; other characters than safe ones become `_`. */
export const attachment = (filename: string): string =>
  `attachment; filename=${filename.replace(/[^A-Za-z0-9._-]/g, '_')}`
