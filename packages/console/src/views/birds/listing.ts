// The list form of a Bird (specification 2.6).
import { age, epoch, httpDate, localTime, printable, std } from '@rookery/kernel/time.ts'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AssetIndex } from '../../flows/assets/asset-index.ts'
import type { ListedBird } from '../../stores/birds/lists.store.ts'
import { prefixLength, publicAddress, subnetOf } from './network.ts'
import { settingsFailure } from './settings-failure.ts'
import { REACHABLE_FROM, upFor } from './state.ts'

export interface ViewOptions {
  /** What the asset inventory knows of machines; nothing where it is left out. */
  readonly assets?: Pick<AssetIndex, 'ofBird'>
  readonly tz: string
  readonly now: number
}

/** Formats the Birds of one list as JSON: most were seen in the same half minute, so each second is formatted once. */
export function birdLister({ assets, tz, now }: ViewOptions): (bird: ListedBird) => string {
  const format = instantFormatter(tz)
  return (bird) => {
    const asset = assets?.ofBird(bird)
    return listedBird(bird, format, now, asset ? `,"asset":${JSON.stringify(asset)}` : '')
  }
}

/** One second, as it stands in the members of the list form. */
interface FormattedInstant {
  readonly std: string
  readonly printable: string
  readonly local: string
  readonly seen: string
  readonly updated: string
}

/** Instants whose texts are cached for lists of Birds. */
const FORMATTED_SECONDS = limit('bird_list_formatted_seconds', 1_000)

function instantFormatter(tz: string): (at: number) => FormattedInstant {
  const formatted = boundedMap<number, FormattedInstant>(FORMATTED_SECONDS)
  return (at) => {
    const second = epoch(at)
    const known = formatted.peek(second)
    if (known) return known
    const zoned = std(at, tz)
    const text = printable(at)
    const made = {
      std: zoned,
      printable: text,
      local: localTime(at),
      seen: `"last_seen":"${text}","last_seen_std":"${zoned}"`,
      updated: `"updated":"${httpDate(at)}","updated_std":"${zoned}","updated_timestamp":${second}`,
    }
    formatted.set(second, made)
    return made
  }
}

/** A template, not `JSON.stringify`: for ten thousand Birds, writing the same member names takes half of the time. */
function listedBird(
  bird: ListedBird,
  format: (at: number) => FormattedInstant,
  now: number,
  more: string,
): string {
  const upMs = upFor(bird, now)
  const seen = format(bird.last_seen_at)
  const first = format(bird.first_seen_at)
  return `{${cloudOf(bird.environment)},\
"description":"${jsonText(bird.description)}",\
"first_seen":"${first.printable}",\
"first_seen_std":"${first.std}",\
"id":"${jsonText(bird.node_id)}",\
"ignore_notifications":${bird.ignore_general === 1},\
"ignore_notifications_disconnects":${bird.ignore_disconnect === 1},\
"ignore_notifications_reconnects":${bird.ignore_reconnect === 1},\
"ip_address":"${jsonText(bird.ip_address)}",\
"ippers":"${jsonText(bird.ippers)}",\
${seen.seen},\
"live":${bird.live === 1},\
"local_time":"${seen.local}",\
"location":"${jsonText(bird.location)}",\
"mac_address":"${jsonText(bird.mac_address)}",\
"name":"${jsonText(bird.name)}",\
"netmask":"${jsonText(prefixLength(bird.netmask))}",\
"note":"${jsonText(bird.note)}",\
"public_ip":"${publicAddress(bird.public_ip)}",\
"reachable_from":"${REACHABLE_FROM[bird.reach]}",\
"sensor":"${jsonText(bird.sensor)}",\
"settings_failure":"${jsonText(settingsFailure(bird))}",\
"subnet":"${subnetOf(bird.ip_address, bird.netmask)}",\
${format(Math.max(bird.updated_at, bird.last_seen_at)).updated},\
"uptime":${Math.floor(upMs / 1000)},\
"uptime_age":"${age(upMs)}",\
"version":"${jsonText(bird.version)}"${more}}`
}

const CLOUD = ['cloud_project', 'cloud_zone', 'instance_id', 'migration_status', 'region_id']

const membersOf = (environment: Readonly<Record<string, string>>): string =>
  CLOUD.map((name) => `"${name}":${JSON.stringify(environment[name] ?? '')}`).join(',')

const NO_CLOUD = membersOf({})

/** The cloud members of a Bird's environment; most Birds report none. */
const cloudOf = (environment: string): string =>
  environment === '{}' ? NO_CLOUD : membersOf(JSON.parse(environment) as Record<string, string>)

const NEEDS_ESCAPES = /[^ !#-[\]-~]/

/** The text as it stands between the quotes of a JSON string: testing for escapes is cheaper than escaping. */
const jsonText = (text: string): string =>
  NEEDS_ESCAPES.test(text) ? JSON.stringify(text).slice(1, -1) : text
