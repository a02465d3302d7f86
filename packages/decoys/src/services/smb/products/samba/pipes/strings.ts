// Strings of NDR as Samba writes them.
import type { NdrWriter } from '../../../protocol/pipes/ndr.ts'

/** Its buffer has room for a zero, which is not sent. */
export function writeLargeString(to: NdrWriter, text: string): void {
  to.u32(text.length + 1)
  to.u32(0)
  to.u32(text.length)
  to.bytes(Buffer.from(text, 'utf16le'), 2)
}

/** The fields of an RPC_UNICODE_STRING whose buffer is there though it may be empty. */
export function writeStringFields(to: NdrWriter, text: string): void {
  to.u16(2 * text.length)
  to.u16(2 * text.length)
  to.pointer()
}

export function writeStringBuffer(to: NdrWriter, text: string): void {
  to.u32(text.length)
  to.u32(0)
  to.u32(text.length)
  to.bytes(Buffer.from(text, 'utf16le'), 2)
}
