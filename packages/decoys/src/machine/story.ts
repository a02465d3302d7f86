// The machine that a Bird claims to be: what more than one of its services tells, so that all tell the same. It follows from the
// Bird's seed and settings, never from the Bird's own name.
import type { BirdSettings } from '../session/session.ts'
import type { Controller } from './controller-form.ts'
import { controllerOf, IDENTITY_SETTINGS } from './controller.ts'
import { draw, type Derive } from './draw.ts'
import { hardwareAddress, makersOf } from './hardware-address.ts'
import { machineKind, type MachineKind } from './machine-kind.ts'
import { machineUsers } from './machine-users.ts'
import { windowsEdition, type WindowsEdition } from './windows-edition.ts'

export interface Story {
  readonly kind: MachineKind
  /** What the machine calls itself: `srv-3f2a1c`, `nas-9c41d0`, `WIN-4K1TQ0V2M8A`. */
  readonly hostName: string
  /** Its names as Windows tells them. */
  readonly names: WindowsNames
  /** What the NetBIOS domain or workgroup is called. */
  readonly workgroup: string
  /** Of Windows; other kinds of machines do not show it. */
  readonly edition: WindowsEdition
  /** Of a PLC, and what any machine says by Modbus. */
  readonly controller: Controller
  readonly hardwareAddress: Buffer
  /** Login names of its users. */
  readonly users: readonly string[]
  /** When its system was installed: milliseconds UTC, to the second. */
  readonly installedAt: number
}

/** Target information of NTLM ([MS-NLMP] 2.2.2.1). A machine without a domain gives its own name in place of the domain's. */
export interface WindowsNames {
  readonly isDomain: boolean
  readonly netbiosDomain: string
  readonly netbiosComputer: string
  readonly dnsDomain: string
  readonly dnsComputer: string
}

/** The settings that a story depends on. */
export const STORY_SETTINGS: readonly string[] = [
  'dbsrv_a.enabled',
  'device.host_name',
  'device.mac',
  'device.mac_prefix',
  'http.enabled',
  'http.skin',
  'https.enabled',
  'modbus.enabled',
  ...IDENTITY_SETTINGS,
  'sip.enabled',
  'smb.domain',
  'smb.enabled',
  'smb.mode',
  'smb.netbios_domain.enabled',
  'smb.netbiosname',
  'smb.workgroup',
  'snmp.enabled',
]

/** The part of the settings that the story depends on, as a text: for `Listener.dependsOn`. */
export const storyKey = (settings: BirdSettings): string =>
  JSON.stringify(STORY_SETTINGS.map((key) => settings[key] ?? null))

const known = new WeakMap<BirdSettings, WeakMap<Derive, Story>>()

/** The same object for the same settings and Bird. */
export function storyOf(settings: BirdSettings, derive: Derive): Story {
  const stories = known.get(settings) ?? new WeakMap<Derive, Story>()
  const story = stories.get(derive) ?? makeStory(settings, derive)
  known.set(settings, stories.set(derive, story))
  return story
}

function makeStory(settings: BirdSettings, derive: Derive): Story {
  const kind = machineKind(settings)
  const edition = windowsEdition(settings['smb.mode'])
  const controller = controllerOf(settings, derive)
  const prefix = text(settings, 'device.mac_prefix')
  const prefixes = prefix === '' ? makersOf(kind, controller) : [prefix]
  const address = hardwareAddress(settings['device.mac'], prefixes, derive)
  const isWindows = kind.startsWith('windows')
  const chosen = text(settings, 'device.host_name')
  const hostName = isWindows
    ? (text(settings, 'smb.netbiosname') || chosen).toUpperCase() || windowsName(edition, derive)
    : chosen !== ''
      ? chosen
      : isDevice(kind)
        ? deviceName(kind, address)
        : linuxName(kind, derive)
  const workgroup = text(settings, 'smb.workgroup').toUpperCase()
  const isMember = settings['smb.netbios_domain.enabled'] === true
  return {
    kind,
    hostName,
    names: windowsNames(hostName, workgroup, isMember ? text(settings, 'smb.domain') : ''),
    workgroup,
    edition,
    controller,
    hardwareAddress: address,
    users: machineUsers(derive),
    installedAt: installedAt(isWindows, derive),
  }
}

const text = (settings: BirdSettings, key: string): string => {
  const value = settings[key]
  return typeof value === 'string' ? value : ''
}

const isDevice = (kind: MachineKind): boolean => ['nas', 'plc', 'printer', 'router'].includes(kind)

/** As makers name them: printers by the whole address. */
const deviceName = (kind: MachineKind, address: Buffer): string =>
  kind === 'printer' ? `BRN${address.toString('hex').toUpperCase()}` : `${kind}-${address.toString('hex', 3)}`

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUV0123456789']

/** The name that Windows gives a new machine. */
function windowsName({ namePrefix, nameLength }: WindowsEdition, derive: Derive): string {
  const { pick } = draw(derive, 'machine/windows-name')
  return namePrefix + Array.from({ length: nameLength }, () => pick(LETTERS)).join('')
}

/** No role in it, but of a phone system: the services of a machine come and go, its name stays. */
const linuxName = (kind: MachineKind, derive: Derive): string =>
  `${kind === 'phone-system' ? 'pbx' : draw(derive, 'machine/linux-name').pick(['srv', 'node', 'vm', 'host'])}-${derive('machine/name', 3).toString('hex')}`

function windowsNames(computer: string, workgroup: string, domain: string): WindowsNames {
  const isDomain = domain !== ''
  return {
    isDomain,
    netbiosDomain: isDomain ? workgroup : computer,
    netbiosComputer: computer,
    dnsDomain: isDomain ? domain : computer,
    dnsComputer: isDomain ? `${computer}.${domain}` : computer,
  }
}

const DAY_SECONDS = 86_400
/** Before the oldest file that a decoy shows, and after the release of the system: Windows Server 2019, Debian 12. */
const WINDOWS_SINCE = Date.UTC(2022, 0, 10)
const WINDOWS_DAYS = 365
const DEBIAN_SINCE = Date.UTC(2023, 8, 1)
const DEBIAN_DAYS = 760

function installedAt(isWindows: boolean, derive: Derive): number {
  const [since, days] = isWindows ? [WINDOWS_SINCE, WINDOWS_DAYS] : [DEBIAN_SINCE, DEBIAN_DAYS]
  return since + (derive('machine/installed', 4).readUInt32BE() % (days * DAY_SECONDS)) * 1_000
}
