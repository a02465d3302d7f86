// What the agent of a VDSL gateway shows: net-snmp on an embedded Linux, with interfaces, ifX and ip (RFC 2863, 4293).
import { draw, type Derive } from '../../../machine/draw.ts'
import { gatewayFirmware, lanAddress, networkOf } from '../../../machine/gateway.ts'
import { interfaceObjects } from '../protocol/interfaces.ts'
import { systemGroup } from '../protocol/system-group.ts'
import { address, column, counter, scalar, whole, type ObjectType } from '../protocol/tree.ts'
import { COUNTING, INTERFACES, STILL, WITHOUT_ADDRESS } from './router.data.ts'

const IP = '1.3.6.1.2.1.4'
const NET_SNMP_ON_LINUX = '1.3.6.1.4.1.8072.3.2.10'
const DATAGRAM_BYTES = 420

export function routerObjects(
  hostName: string,
  hardwareAddress: Buffer,
  derive: Derive,
  bootedAt: number,
  asked: string,
): readonly ObjectType[] {
  const { between } = draw(derive, 'snmp/router')
  const busy = between(40_000, 180_000)
  const interfaces = INTERFACES.map(([label, type, mtu, speed, into, out]) => ({
    name: label,
    type,
    mtu,
    speed,
    address: WITHOUT_ADDRESS.has(label) ? Buffer.alloc(0) : hardwareAddress,
    isUp: speed > 0,
    rates: [busy * into, busy * out] as const,
  }))
  const datagrams = (share: number) =>
    counter((now) => ((Math.max(0, now - bootedAt) / 1_000) * busy * share) / DATAGRAM_BYTES)
  const bytesOf = (ip: string): number[] => ip.split('.').map(Number)
  const lan = lanAddress(asked, derive)
  const net = networkOf(lan)
  const { kernel, build } = gatewayFirmware(derive)
  const own = [
    { ip: [127, 0, 0, 1], row: 1, mask: [255, 0, 0, 0] },
    { ip: bytesOf(lan), row: interfaces.length, mask: [255, 255, 255, 0] },
  ]
  return [
    ...systemGroup({
      description: `Linux ${hostName} ${kernel} ${build} mips`,
      product: NET_SNMP_ON_LINUX,
      startedAt: bootedAt + between(20_000, 45_000),
      contact: 'root',
      hostName,
      location: 'Unknown',
      services: 6,
    }),
    ...interfaceObjects(interfaces, bootedAt, derive, true),
    scalar(`${IP}.1`, whole(1)),
    scalar(`${IP}.2`, whole(64)),
    ...COUNTING.map(([number, share]) => scalar(`${IP}.${number}`, datagrams(share))),
    scalar(`${IP}.13`, whole(30)),
    ...STILL.map((number) => scalar(`${IP}.${number}`, datagrams(0))),
    ...own.flatMap(({ ip, row, mask }) =>
      [address(ip), whole(row), address(mask), whole(1)].map((value, at) =>
        column(`${IP}.20.1.${at + 1}`, [[ip.join('.'), value]]),
      ),
    ),
    column(`${IP}.21.1.1`, [[net, address(bytesOf(net))]]),
    column(`${IP}.21.1.2`, [[net, whole(interfaces.length)]]),
    column(`${IP}.21.1.7`, [[net, address([0, 0, 0, 0])]]),
    column(`${IP}.21.1.11`, [[net, address([255, 255, 255, 0])]]),
  ]
}
