// Chat services that are known by their URLs. Each takes messages of its own form, and drops or refuses every other.

export interface ChatService {
  readonly name: string
  /** Matched with the host and the path of a URL. */
  readonly pattern: RegExp
}

/** Those that no kind of receiver writes to yet. */
const WITHOUT_KIND: readonly ChatService[] = [
  { name: 'Discord', pattern: /^((ptb|canary)\.)?discord(app)?\.com\/api\/(v\d+\/)?webhooks\// },
  { name: 'Google Chat', pattern: /^chat\.googleapis\.com\/v1\/spaces\// },
  // Of any host: the ids of incoming webhooks have 26 characters.
  { name: 'Mattermost', pattern: /^[^/]+\/(.+\/)?hooks\/[a-z0-9]{26}$/ },
]

/** A service that a kind of receiver writes to. */
export interface OwnService extends ChatService {
  /** How a receiver of it is added, as a sentence goes on. */
  readonly how: string
}

/** Why a receiver of a kind cannot be at this URL: another kind writes to its service, or none; undefined where it can. */
export function foreignService(
  href: string,
  own: OwnService | undefined,
  all: readonly OwnService[],
): string | undefined {
  const { hostname, pathname } = new URL(href)
  const isOf = ({ pattern }: ChatService): boolean => pattern.test(hostname + pathname)
  if (own && isOf(own)) return undefined
  const other = all.find(isOf)
  const service = other ?? WITHOUT_KIND.find(isOf)
  if (!service) return undefined
  return `is of ${service.name}, which takes messages of its own form: ${other?.how ?? 'there is no kind of receiver for it yet'}`
}
