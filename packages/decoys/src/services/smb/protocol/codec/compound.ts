// Compounded messages ([MS-SMB2] 3.2.4.1.4): each begins at a multiple of eight bytes, where the one before says.
import { readHeader, type Header } from './header.ts'

export interface Message {
  readonly header: Header
  /** Header and body; padding included. */
  readonly bytes: Buffer
}

/** The messages in order; undefined when one of them is no message of SMB2, or there are more than `most`. */
export function splitCompound(bytes: Buffer, most: number): readonly Message[] | undefined {
  const messages: Message[] = []
  for (let rest = bytes; ;) {
    const header = readHeader(rest)
    if (!header || messages.length === most) return undefined
    const { nextCommand } = header
    if (nextCommand === 0) return [...messages, { header, bytes: rest }]
    if (nextCommand % 8 !== 0 || nextCommand < 64 || nextCommand >= rest.length) return undefined
    messages.push({ header, bytes: rest.subarray(0, nextCommand) })
    rest = rest.subarray(nextCommand)
  }
}
