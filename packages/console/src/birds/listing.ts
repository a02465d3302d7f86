// The list form of a Bird (specification 2.6).
import { age, epoch, epochText, httpDate, localTime, std } from '@rookery/kernel/time.ts'
import type { AssetBook } from '../flows/assets/book.ts'
import type { ListedBird } from '../stores/birds/lists.store.ts'
import { upFor } from './state.ts'

export interface Asked {
  /** What is known of machines; nothing, unless it says so. */
  readonly assets?: Pick<AssetBook, 'ofBird'>
  readonly tz: string
  readonly now: number
}

/** The form of many Birds of one list, as JSON: most were last seen in the same half minute, and a second is spelt once. */
export function birdLister({ assets, tz, now }: Asked): (bird: ListedBird) => string {
  const spell = speller(tz)
  return (bird) => {
    const asset = assets?.ofBird(bird)
    return listedBird(bird, spell, now, asset ? `,"asset":${JSON.stringify(asset)}` : '')
  }
}

/** The members in which a second stands, and how it reads in others. */
interface Spelling {
  readonly std: string
  readonly local: string
  readonly seen: string
  readonly updated: string
}

/** Seconds whose spelling is kept. */
const KEPT = 1_000

function speller(tz: string): (at: number) => Spelling {
  const kept = new Map<number, Spelling>()
  return (at) => {
    const second = epoch(at)
    const known = kept.get(second)
    if (known) return known
    const inZone = std(at, tz)
    const made = {
      std: inZone,
      local: localTime(at),
      seen: `"last_seen":"${epochText(at)}","last_seen_std":"${inZone}"`,
      updated: `"updated":"${httpDate(at)}","updated_std":"${inZone}","updated_timestamp":${second}`,
    }
    if (kept.size >= KEPT) kept.clear()
    kept.set(second, made)
    return made
  }
}

/** Written out: of ten thousand Birds, finding the names of the members again each time would take as long as all else. */
function listedBird(bird: ListedBird, spell: (at: number) => Spelling, now: number, more: string): string {
  const upMs = upFor(bird, now)
  const id = plain(bird.node_id)
  const seen = spell(bird.last_seen_at)
  return `{${cloudOf(bird.environment)},\
"description":"${plain(bird.description)}",\
"first_seen":"${epochText(bird.first_seen_at)}",\
"first_seen_std":"${spell(bird.first_seen_at).std}",\
"id":"${id}",\
"ignore_notifications":${bird.ignore_general === 1},\
"ignore_notifications_disconnects":${bird.ignore_disconnect === 1},\
"ignore_notifications_reconnects":${bird.ignore_reconnect === 1},\
"ip_address":"${plain(bird.ip_address)}",\
"ippers":"${plain(bird.ippers)}",\
${seen.seen},\
"live":${bird.live === 1},\
"local_time":"${seen.local}",\
"location":"${plain(bird.location)}",\
"mac_address":"${plain(bird.mac_address)}",\
"name":"${plain(bird.name)}",\
"netmask":"${plain(bird.netmask)}",\
"note":"${plain(bird.note)}",\
"public_ip":"${plain(bird.public_ip)}",\
"sensor":"${id}",\
${spell(Math.max(bird.updated_at, bird.last_seen_at)).updated},\
"uptime":${Math.floor(upMs / 1000)},\
"uptime_age":"${age(upMs)}",\
"version":"${plain(bird.version)}"${more}}`
}

const CLOUD = ['cloud_project', 'cloud_zone', 'instance_id', 'migration_status', 'region_id', 'subnet']

const membersOf = (environment: Readonly<Record<string, string>>): string =>
  CLOUD.map((name) => `"${name}":${JSON.stringify(environment[name] ?? '')}`).join(',')

const NO_CLOUD = membersOf({})

/** What a Bird's environment may report of its cloud; most report nothing. */
const cloudOf = (environment: string): string =>
  environment === '{}' ? NO_CLOUD : membersOf(JSON.parse(environment) as Record<string, string>)

const NOT_PLAIN = /[^ !#-[\]-~]/

/** A text as it stands between quotes: nearly all need no escapes, and seeing that costs less than escaping. */
const plain = (text: string): string => (NOT_PLAIN.test(text) ? JSON.stringify(text).slice(1, -1) : text)
