// What a client of Modbus sends: frames of each function, right ones and some that are none.
import { latin1, type Draw } from '../../test/draw.ts'

/** A frame as hexadecimal digits of what stands behind the unit. */
export function frame(pdu: string, unit = 1, transaction = 1): Buffer {
  const bytes = Buffer.from(pdu.replaceAll(' ', ''), 'hex')
  const head = Buffer.alloc(7)
  head.writeUInt16BE(transaction)
  head.writeUInt16BE(bytes.length + 1, 4)
  head[6] = unit
  return Buffer.concat([head, bytes])
}

/** One of each function, and what no device of its kind answers. */
export const REQUESTS: readonly Buffer[] = [
  ...['01 0000 0010', '02 0000 0010', '03 0000 000a', '04 0000 000a', '05 0001 ff00', '06 0002 1234'].map(
    (pdu) => frame(pdu),
  ),
  ...['08 0000 a537', '0f 0000 000a 02 cd01', '10 0001 0002 04 000a 0102', '11', '16 0004 00f2 0025'].map(
    (pdu) => frame(pdu),
  ),
  ...[
    '17 0003 0006 000e 0003 06 00ff 00ff 00ff',
    '2b 0e 01 00',
    '2b 0e 03 00',
    '2b 0e 04 04',
    '07',
    '14 00',
  ].map((pdu) => frame(pdu)),
  frame('11', 7),
  frame('2b 0e 01 00', 255),
]

export const anyRequest = (draw: Draw): Buffer =>
  draw.chance(0.8)
    ? draw.pick(REQUESTS)
    : frame(latin1(draw.bytes(1 + draw.int(12))).toString('hex'), draw.pick([0, 1, 2, 255]))
