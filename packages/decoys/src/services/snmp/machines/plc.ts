// What a controller shows: the system group, and its Ethernet port.
import { describeController } from '../../../machine/controller.ts'
import { draw, type Derive } from '../../../machine/draw.ts'
import type { Story } from '../../../machine/story.ts'
import { interfaceObjects } from '../protocol/interfaces.ts'
import { systemGroup } from '../protocol/system-group.ts'
import type { ObjectType } from '../protocol/tree.ts'

export function plcObjects(
  { controller, hostName, hardwareAddress }: Pick<Story, 'controller' | 'hostName' | 'hardwareAddress'>,
  derive: Derive,
  bootedAt: number,
): readonly ObjectType[] {
  const { between } = draw(derive, 'snmp/plc')
  const port = { name: 'eth0', type: 6, mtu: 1_500, speed: 100_000_000, address: hardwareAddress, isUp: true }
  return [
    ...systemGroup({
      description: describeController(controller),
      product: `1.3.6.1.4.1.${controller.product}`,
      startedAt: bootedAt + between(2_000, 8_000),
      contact: '',
      hostName,
      location: '',
      services: 72,
    }),
    ...interfaceObjects(
      [{ ...port, rates: [between(400, 2_600), between(500, 3_000)] }],
      bootedAt,
      derive,
      false,
    ),
  ]
}
