// What a device says about itself (MODBUS Application Protocol 1.1b3, 6.21).
import type { Identity } from '../../../machine/controller-form.ts'

const MEI = 14
const INDIVIDUAL = 4
/** Basic, regular, extended: how many objects each has; the last has none of its own. */
const OBJECTS: Readonly<Record<number, number>> = { 1: 3, 2: 7, 3: 7, 4: 7 }
/** Regular, as a stream and one by one. */
const CONFORMITY = 0x82
/** Of objects in one answer: it has 253 bytes. */
const MAX_BYTES = 246

/** The answer behind the function code; a number is the exception. */
export function identification(data: Buffer, identity: Identity): Buffer | 1 | 2 | 3 {
  const [mei, code = 0, first = 0] = data
  if (mei !== MEI) return 1
  const all = OBJECTS[code]
  if (data.length !== 3 || all === undefined) return 3
  if (code === INDIVIDUAL && first >= all) return 2
  const from = first < all ? first : 0
  const wanted = identity.slice(from, code === INDIVIDUAL ? from + 1 : all)
  const objects: Buffer[] = []
  let bytes = 0
  for (const text of wanted) {
    const value = Buffer.from(text, 'latin1')
    if (bytes + value.length + 2 > MAX_BYTES) break
    objects.push(Buffer.from([from + objects.length / 2, value.length]), value)
    bytes += value.length + 2
  }
  const count = objects.length / 2
  const next = count < wanted.length ? from + count : 0
  return Buffer.concat([Buffer.from([MEI, code, CONFORMITY, next > 0 ? 0xff : 0, next, count]), ...objects])
}
