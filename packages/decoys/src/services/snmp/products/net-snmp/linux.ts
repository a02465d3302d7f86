// What Debian's snmpd shows of a Linux machine by its view `systemonly`: system and hrSystem, 45 objects.
import { bootedAt } from '../../../../machine/boot-time.ts'
import { draw, type Derive } from '../../../../machine/draw.ts'
import { kernelBuild, linuxKernel } from '../../../../machine/linux-kernel.ts'
import {
  column,
  gauge,
  name,
  scalar,
  text,
  ticks,
  ticksSince,
  whole,
  type ObjectType,
  type Value,
} from '../../protocol/tree.ts'
import { octets } from '../../protocol/ber.ts'
import { systemGroup } from '../../protocol/system-group.ts'
import { CONTACT, LOCATION, MODULES, SERVICES } from './profile.ts'

const SYSTEM = '1.3.6.1.2.1.1'
const HR_SYSTEM = '1.3.6.1.2.1.25.1'
const NET_SNMP_ON_LINUX = '1.3.6.1.4.1.8072.3.2.10'
/** An agent is started so long after its machine. */
const STARTED_MS = [9_000, 31_000] as const

export const agentStartedAt = (derive: Derive, now: number): number =>
  bootedAt(derive, now) + draw(derive, 'snmp/start').between(...STARTED_MS)

export function linuxObjects(hostName: string, derive: Derive, now: number): readonly ObjectType[] {
  const { between } = draw(derive, 'snmp/linux')
  // Modules register within a hundredth of a second; the last ones may fall into the next.
  const later = between(6, MODULES.length)
  const rows = MODULES.map(([id, about], at) => ({ id, about, row: at + 1, changed: at < later ? 0 : 1 }))
  const processes = between(96, 148)
  return [
    ...systemGroup({
      description: `Linux ${hostName} ${linuxKernel(derive)} ${kernelBuild(derive)} x86_64`,
      product: NET_SNMP_ON_LINUX,
      startedAt: agentStartedAt(derive, now),
      contact: CONTACT,
      hostName,
      location: LOCATION,
      services: SERVICES,
    }),
    scalar(`${SYSTEM}.8`, ticks(rows.at(-1)!.changed)),
    column(
      `${SYSTEM}.9.1.2`,
      rows.map(({ row, id }) => [row, name(id)]),
    ),
    column(
      `${SYSTEM}.9.1.3`,
      rows.map(({ row, about }) => [row, text(about)]),
    ),
    column(
      `${SYSTEM}.9.1.4`,
      rows.map(({ row, changed }) => [row, ticks(changed)]),
    ),
    scalar(`${HR_SYSTEM}.1`, ticksSince(bootedAt(derive, now))),
    scalar(`${HR_SYSTEM}.2`, dateAndTime),
    scalar(`${HR_SYSTEM}.3`, whole(393_216)),
    scalar(`${HR_SYSTEM}.4`, text(commandLine(derive))),
    scalar(`${HR_SYSTEM}.5`, gauge(0)),
    scalar(`${HR_SYSTEM}.6`, (at) => gauge(processes + ((Math.floor(at / 20_000) * 7 + processes) % 5))(at)),
    scalar(`${HR_SYSTEM}.7`, whole(0)),
  ]
}

/** As SNMPv2-TC says it (RFC 2579), in UTC. */
const dateAndTime: Value = (now) => {
  const at = new Date(now)
  const bytes = Buffer.alloc(11)
  bytes.writeUInt16BE(at.getUTCFullYear())
  bytes.set(
    [at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()],
    2,
  )
  bytes[8] = '+'.charCodeAt(0)
  return octets(bytes)
}

/** /proc/cmdline as GRUB writes it on Debian; the agent shows 128 characters at most. */
function commandLine(derive: Derive): string {
  const id = derive('snmp/root', 16).toString('hex')
  const uuid = id.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5')
  return `BOOT_IMAGE=/boot/vmlinuz-${linuxKernel(derive)} root=UUID=${uuid} ro quiet\n`
}
