// Net-SNMP 5.9.3 with Debian's configuration, or what the machine has that the settings show: a printer, a router, a PLC, a Windows.
import { bootedAt } from '../../machine/boot-time.ts'
import { draw, type Derive } from '../../machine/draw.ts'
import { machineKind } from '../../machine/machine-kind.ts'
import { storyKey, storyOf, type Story } from '../../machine/story.ts'
import type { BirdSettings, Service } from '../../session/session.ts'
import { ownSettings } from '../../settings/own-settings.ts'
import { descriptor } from './descriptor.ts'
import { plcObjects } from './machines/plc.ts'
import { printerObjects } from './machines/printer.ts'
import { routerObjects } from './machines/router.ts'
import { windowsObjects } from './machines/windows.ts'
import { agentStartedAt, linuxObjects } from './products/net-snmp/linux.ts'
import { snmpSession, type Machine } from './products/net-snmp/session.ts'
import { treeOf, type ObjectType } from './protocol/tree.ts'

/** `asked`: the address of the machine that a router shows as its own. */
function objectsOf(story: Story, derive: Derive, now: number, asked: string): readonly ObjectType[] {
  const { kind, hostName, hardwareAddress, edition } = story
  const booted = bootedAt(derive, now)
  if (kind === 'plc') return plcObjects(story, derive, booted)
  if (kind === 'printer') return printerObjects(hostName, hardwareAddress, derive, booted)
  if (kind === 'router') return routerObjects(hostName, hardwareAddress, derive, booted, asked)
  if (kind.startsWith('windows')) return windowsObjects(hostName, edition, kind === 'windows-server', booted)
  return linuxObjects(hostName, derive, now)
}

const NET_SNMP = 8_072
const BROTHER = 2_435
const SECOND_MS = 1_000

/** RFC 3411's snmpEngineID: of net-snmp drawn at its first start, of a device its hardware address. */
function engineId({ kind, hardwareAddress, installedAt }: Story, derive: Derive): Buffer {
  const maker = Buffer.alloc(4)
  maker.writeUInt32BE((kind === 'printer' ? BROTHER : NET_SNMP) + 0x8000_0000)
  if (kind === 'printer') return Buffer.concat([maker, Buffer.from([3]), hardwareAddress])
  const startedAt = Buffer.alloc(8)
  startedAt.writeBigUInt64LE(
    BigInt(installedAt / SECOND_MS + draw(derive, 'snmp/engine').between(300, 90_000)),
  )
  return Buffer.concat([maker, Buffer.from([0x80]), derive('snmp/engine', 4), startedAt])
}

function machineOf(settings: BirdSettings, derive: Derive, now: number, asked: string): Machine {
  const story = storyOf(settings, derive)
  const id = engineId(story, derive)
  const startedAt = agentStartedAt(derive, now)
  const boots = draw(derive, 'snmp/boots').between(3, 40)
  return {
    tree: treeOf(objectsOf(story, derive, now, asked)),
    hasUsers: story.kind !== 'plc' && !story.kind.startsWith('windows'),
    engine: (at) => ({ id, boots, time: Math.max(0, Math.floor((at - startedAt) / SECOND_MS)) }),
  }
}

/** Made once for each start of the machine; of a router, for each of its addresses, of which it has few. */
function machines(settings: BirdSettings) {
  const isRouter = machineKind(settings) === 'router'
  const known = new WeakMap<Derive, { readonly bootedAt: number; readonly made: Map<string, Machine> }>()
  return (derive: Derive, now: number, host: string): Machine => {
    const asked = isRouter ? host : ''
    const booted = bootedAt(derive, now)
    const before = known.get(derive)
    const made = before?.bootedAt === booted ? before.made : new Map<string, Machine>()
    const machine = made.get(asked) ?? machineOf(settings, derive, now, asked)
    known.set(derive, { bootedAt: booted, made: made.set(asked, machine) })
    return machine
  }
}

const service: Service = {
  listeners(settings) {
    if (settings['snmp.enabled'] !== true) return []
    const port = Number(settings['snmp.port'])
    const machine = machines(settings)
    return [
      {
        instance: 'snmp',
        transport: 'udp',
        port,
        startSession: snmpSession(({ derive, now, dst }) => machine(derive, now(), dst.host)),
        answerBytes: descriptor.answerBytes,
        dependsOn: ownSettings(settings, descriptor) + storyKey(settings),
      },
    ]
  },
}

export default service
