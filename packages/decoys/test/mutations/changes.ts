// What happens to a frame: one to four changes at places that the draw chooses.
import type { Draw } from '../draw.ts'

export type Change = (draw: Draw, frame: Buffer) => Buffer

/** Numbers at which readers of lengths and counts go wrong. */
const VALUES = [0, 1, 4, 64, 0x7f, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]
/** So much of what stands before a place is doubled. */
const DOUBLED = 40

/** Of a binary protocol: bits, fields of two and four bytes in either order, missing and doubled pieces; `values` of its own. */
export const changeBytes =
  (values: readonly number[] = []): Change =>
  (draw, frame) => {
    const known = [...VALUES, ...values]
    let bytes: Buffer = Buffer.from(frame)
    for (let changes = 1 + draw.int(4); changes > 0 && bytes.length > 4; changes -= 1)
      bytes = changedOnce(draw, bytes, draw.pick(known))
    return bytes
  }

function changedOnce(draw: Draw, bytes: Buffer, value: number): Buffer {
  const at = draw.int(bytes.length - 3)
  switch (draw.int(8)) {
    case 0:
      bytes[at]! ^= 1 << draw.int(8)
      return bytes
    case 1:
      bytes.writeUInt16LE(value & 0xffff, at)
      return bytes
    case 2:
      bytes.writeUInt32LE(value, at)
      return bytes
    case 3:
      bytes.writeUInt16BE(value & 0xffff, at)
      return bytes
    case 4:
      bytes.writeUInt32BE(value, at)
      return bytes
    case 5:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + draw.int(4))])
    case 6:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - DOUBLED))])
    default:
      bytes[at] = draw.int(256)
      return bytes
  }
}

/** Of a protocol of lines and words: other bytes, missing and doubled parts, and pieces that mean something to it. */
export const changeText =
  (pieces: readonly string[]): Change =>
  (draw, frame) => {
    let text = frame.toString('latin1')
    for (let changes = 1 + draw.int(4); changes > 0; changes -= 1) {
      const at = draw.int(text.length + 1)
      const piece = draw.pick([
        draw.bytes(1 + draw.int(4)),
        draw.pick(pieces),
        text.slice(at, at + draw.int(DOUBLED)),
        '',
      ])
      text = text.slice(0, at) + piece + text.slice(at + draw.int(4))
    }
    return Buffer.from(text, 'latin1')
  }
