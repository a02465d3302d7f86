// Stubs of answers. Samba numbers their pointers on from those of the request.
import { ndrReader, ndrWriter, type NdrReader, type NdrWriter } from '../../../protocol/pipes/ndr.ts'

const REFERENT = 0x00020000

export type Request = NdrReader & {
  /** How many pointers were there so far. */
  readonly pointers: () => number
}

export function requestReader(stub: Buffer): Request {
  const from = ndrReader(stub)
  let count = 0
  const noted = (isThere: boolean): boolean => {
    count += isThere ? 1 : 0
    return isThere
  }
  return {
    get isIntact() {
      return from.isIntact
    },
    u16: from.u16,
    u32: from.u32,
    bytes: from.bytes,
    count: from.count,
    string: from.string,
    unicodeBuffer: from.unicodeBuffer,
    pointer: () => noted(from.pointer()),
    unicodeString: () => noted(from.unicodeString()),
    optionalString() {
      return noted(from.pointer()) ? from.string() : undefined
    },
    pointers: () => count,
  }
}

export const answerTo = (from: Request): NdrWriter => ndrWriter(REFERENT + 4 * from.pointers())
