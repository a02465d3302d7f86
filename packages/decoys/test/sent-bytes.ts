// What a reply sends, in one piece.
import type { Reply } from '../src/session/session.ts'

export const sentBytes = ({ send = '', furtherWrites = [] }: Pick<Reply, 'send' | 'furtherWrites'>): Buffer =>
  Buffer.concat([{ send }, ...furtherWrites].map((write) => Buffer.from(write.send as string)))
