// What a Bird may report: events of the services in its settings and of itself, from addresses, since it was registered.
// Pure. A registered Bird may have been taken over, and must not speak for the console, for tokens or for other times.
import { isIPv4 } from 'node:net'
import type { EventFields, Touch } from '@rookery/kernel/touch.ts'
import { descriptors as services } from '@rookery/decoys/descriptors.gen.ts'
import { instancesOf } from '@rookery/decoys/settings/instances.ts'
import { birdLogtypes, PART_OF, SILENT_OR_REFUSED } from '@rookery/link/bird-logtypes.ts'
import { canonicalRange } from '../../../addresses/ranges.ts'

export type RefusalReason = 'logtype' | 'instance' | 'address'

export type CheckedEvent = { readonly touch: Touch } | { readonly refused: RefusalReason }

/** A spool may be older than the registration where a Bird was removed and commissioned again. */
const BEFORE_REGISTRATION_MS = 7 * 86_400_000

/** By logtype, the service instances, or the part of the Bird, that report it. Switched-off ones too: their events may still be in the spool. */
const reporters = new Map<string, ReadonlySet<string>>()
for (const descriptor of services) {
  const others = services.find(({ service }) => service === descriptor.reportsFor)?.logtypes ?? []
  for (const { logtype } of [...descriptor.logtypes, ...others])
    reporters.set(logtype, new Set([...(reporters.get(logtype) ?? []), ...instancesOf(descriptor)]))
}

const ofBirds = new Set(birdLogtypes.map(({ logtype }) => logtype))
for (const [logtype, part] of Object.entries(PART_OF)) reporters.set(logtype, new Set([part]))
reporters.set(SILENT_OR_REFUSED.logtype, new Set(services.flatMap(instancesOf)))

/** Keys by which the console itself says when an event was and where it came from; services have keys in capitals. */
const OF_CONSOLE: ReadonlySet<string> = new Set([
  'timestamp',
  'timestamp_std',
  'src_host',
  'src_port',
  'dst_host',
  'geo_info',
  'is_tor_relay',
])

/** The touch with its addresses in one spelling and no key of the console, or why the Bird cannot have seen it. */
export function checkBirdEvent(touch: Touch, registeredAt: number, receivedAt: number): CheckedEvent {
  const isOwn = ofBirds.has(touch.logtype)
  const instances = reporters.get(touch.logtype)
  if (instances === undefined) return { refused: 'logtype' }
  if (!instances.has(touch.instance)) return { refused: 'instance' }
  const srcHost = addressOf(touch.srcHost)
  const dstHost = addressOf(touch.dstHost)
  if (srcHost === undefined || dstHost === undefined || (srcHost === '' && !isOwn))
    return { refused: 'address' }
  const at = possibleTime(touch.at, registeredAt, receivedAt)
  return { touch: { ...touch, srcHost, dstHost, at, fields: withoutKeysOfConsole(touch.fields) } }
}

const withoutKeysOfConsole = (fields: EventFields): EventFields =>
  Object.keys(fields).some((key) => OF_CONSOLE.has(key))
    ? Object.fromEntries(Object.entries(fields).filter(([key]) => !OF_CONSOLE.has(key)))
    : fields

/**
 * An impossible time becomes that of the reception: a boot without a clock is in 1970, and its events are genuine. An
 * event may be received before the registration where the console's clock was set back since.
 */
const possibleTime = (at: number, registeredAt: number, receivedAt: number): number =>
  at < Math.min(registeredAt, receivedAt) - BEFORE_REGISTRATION_MS ? receivedAt : at

/** One spelling of an address, without its zone; empty where there is none, undefined where the text is no address. */
function addressOf(text: string): string | undefined {
  if (text === '' || isIPv4(text)) return text
  const [address = ''] = text.split('%')
  return address.includes('/') ? undefined : canonicalRange(address)
}
