// What a Brother MFC-8860DN shows: its network board, and the tables of `printer.data.ts`.
import { draw, type Derive } from '../../../machine/draw.ts'
import { pageCounts } from '../../../machine/page-counts.ts'
import { integer, TAG } from '../protocol/ber.ts'
import { interfaceObjects } from '../protocol/interfaces.ts'
import { systemGroup } from '../protocol/system-group.ts'
import { column, counter, name, scalar, text, whole, type ObjectType, type Value } from '../protocol/tree.ts'
import { ROWS, type Cell } from './printer.data.ts'

const BOARD = 'Brother NC-6400h'
const BROTHER = '1.3.6.1.4.1.2435.2.3.9.1'
const MEMORY_KIB = 32_768

export function printerObjects(
  hostName: string,
  hardwareAddress: Buffer,
  derive: Derive,
  bootedAt: number,
): readonly ObjectType[] {
  const { between } = draw(derive, 'snmp/printer')
  const own = {
    serial: text(`E${between(60_000, 69_999)}${'ABCDEFGHJK'[between(0, 9)]}${between(100_000, 999_999)}`),
    memory: whole(between(9_000, 21_000)),
    pages: counter((now) => {
      const { prints, copies, faxes } = pageCounts(derive, now)
      return prints + copies + faxes
    }),
    drum: ((now) => integer(pageCounts(derive, now).drumLeft * 250)) satisfies Value,
  }
  const valueOf = (cell: Cell): Value => {
    if (typeof cell === 'number') return whole(cell)
    if (typeof cell === 'string') return text(cell)
    if ('oid' in cell) return name(cell.oid)
    return 'count' in cell ? () => integer(cell.count, TAG.counter32) : own[cell.own]
  }
  const board = { name: `${BOARD}, Hardware Revision 1`, type: 6, mtu: 1_500, speed: 100_000_000 }
  return [
    ...systemGroup({
      description: `${BOARD}, Firmware Ver.1.11  (06.12.20),MID 84UZ92`,
      product: BROTHER,
      startedAt: bootedAt,
      contact: '',
      hostName,
      location: '',
      services: 72,
    }),
    ...interfaceObjects(
      [{ ...board, address: hardwareAddress, isUp: true, rates: [210, 40] }],
      bootedAt,
      derive,
      false,
    ),
    scalar('1.3.6.1.2.1.25.2.2', whole(MEMORY_KIB)),
    ...ROWS.flatMap(([table, index, from, cells]) =>
      cells.map((cell, at) => column(`${table}.${from + at}`, [[index, valueOf(cell)]])),
    ),
  ]
}
