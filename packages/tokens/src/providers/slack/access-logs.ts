// The access logs of a workspace (`team.accessLogs`): one entry for each user, address and user agent, with a count.
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { isRecord, numberOf, textOf } from '../../provider-call.ts'
import type { PollReport, PollRequest, ProviderEvent, WatchedResource } from '../../provider.ts'
import { meaningOf, type CallSlack } from './api.ts'

/** One entry: an address that used Slack as a user. */
export interface Login {
  readonly userId: string
  readonly username: string
  readonly ip: string
  readonly userAgent: string
  readonly isp: string
  readonly country: string
  readonly count: number
  /** Seconds. */
  readonly firstAt: number
  readonly lastAt: number
}

const ENTRIES_PER_PAGE = 1_000
/** The method may be called 20 times a minute. */
const PAGES = limit('pages_of_slack_access_logs', 10)
/** Entries appear late; those that come again are known by their ids. */
const OVERLAP_S = 900

function loginOf(entry: unknown): Login | undefined {
  const [firstAt, lastAt] = [secondsOf(entry, 'date_first'), secondsOf(entry, 'date_last')]
  const userId = textOf(entry, 'user_id')
  if (userId === '' || lastAt === undefined) return undefined
  return {
    userId,
    lastAt,
    firstAt: firstAt ?? lastAt,
    count: numberOf(entry, 'count') ?? 1,
    username: textOf(entry, 'username'),
    ip: textOf(entry, 'ip'),
    userAgent: textOf(entry, 'user_agent'),
    isp: textOf(entry, 'isp'),
    country: textOf(entry, 'country'),
  }
}

/** The last second that a date can hold (ECMA-262, 21.4.1.1). */
const LAST_SECOND = 8.64e12

/** Undefined for what is no time. */
function secondsOf(entry: unknown, field: string): number | undefined {
  const seconds = numberOf(entry, field)
  return seconds !== undefined && seconds >= 0 && seconds <= LAST_SECOND ? seconds : undefined
}

/** Entries whose last use is not older than `sinceS`, newest first as Slack sends them. */
export async function readLogins(call: CallSlack, token: string, sinceS: number): Promise<Login[]> {
  const found: Login[] = []
  for (let page = 1; page <= PAGES.max; page++) {
    const params = { count: String(ENTRIES_PER_PAGE), page: String(page) }
    const { error, json } = await call({ method: 'team.accessLogs', token, params })
    if (error !== undefined)
      throw new Fault('unavailable', `Slack does not show its access logs: ${meaningOf(error)}.`)
    const { logins, paging } = json
    const entries = Array.isArray(logins) ? logins.map(loginOf).filter((it) => it !== undefined) : []
    found.push(...entries.filter(({ lastAt }) => lastAt >= sinceS))
    const isOlder = entries.some(({ lastAt }) => lastAt < sinceS)
    if (isOlder || page >= (isRecord(paging) ? (numberOf(paging, 'pages') ?? 1) : 1)) return found
  }
  PAGES.hit()
  return found
}

/** What the console itself sends as a token's user agent: nobody who has the token alone knows it. */
export const ownAgent = (derive: WatchedResource['derive']): string =>
  `Mozilla/5.0 (compatible; ${derive('user agent', 12).toString('hex')})`

export async function pollLogins(
  call: CallSlack,
  token: string,
  { position, resources }: PollRequest,
  now: number,
): Promise<PollReport> {
  const nowS = Math.floor(now / 1_000)
  const sinceS = /^\d+$/.test(position) ? Number(position) : nowS - OVERLAP_S
  const watched = new Map(resources.map((resource) => [resource.remoteId, resource]))
  const logins = await readLogins(call, token, sinceS)
  const events = logins.flatMap((login): ProviderEvent[] => {
    const resource = watched.get(login.userId)
    const isOthers = resource && login.userAgent !== ownAgent(resource.derive)
    // Before the token was planted, its user was authorised.
    return isOthers && login.lastAt * 1_000 >= resource.createdAt ? [eventOf(login)] : []
  })
  return { events, position: String(nowS - OVERLAP_S) }
}

const eventOf = (login: Login): ProviderEvent => ({
  id: JSON.stringify([login.userId, login.ip, login.userAgent, login.lastAt, login.count]),
  remoteId: login.userId,
  at: login.lastAt * 1_000,
  srcHost: login.ip,
  eventName: 'access_log',
  fields: {
    username: login.username,
    useragent: login.userAgent,
    count: login.count,
    date_first: new Date(login.firstAt * 1_000).toISOString(),
    isp: login.isp,
    country: login.country,
  },
})
