// What a document of ours says: an internal memorandum that an intruder reads on.
import type { Draws } from '../draws.ts'
import { PEOPLE, SITES, SYSTEMS } from './people.data.ts'

export interface Memorandum {
  readonly title: string
  readonly author: string
  readonly paragraphs: readonly string[]
}

interface Facts {
  readonly system: string
  readonly site: string
  readonly others: readonly [string, string]
  readonly account: string
  readonly password: string
  readonly address: string
}

type Topic = (facts: Facts) => Omit<Memorandum, 'author'>

const TOPICS: readonly [Topic, ...Topic[]] = [
  ({ system, site, others: [first, second], account, password, address }) => ({
    title: `Access to the ${system}`,
    paragraphs: [
      `This note replaces the one of last year. It describes how to reach the ${system} in ${site} while ${first} is away.`,
      `The system answers at ${address}. Log in as ${account}; the password until the next change is ${password}. Do not forward this note.`,
      `The account has full rights. ${second} keeps a record of each use, so please send a short message before and after.`,
      'If the log-in fails three times the account is locked for an hour. Do not reset it without a change request.',
    ],
  }),
  ({ system, site, others: [first, second], account, password, address }) => ({
    title: `Handover: ${system}`,
    paragraphs: [
      `${first} hands the ${system} in ${site} over to ${second}. Open points are listed below; everything else is in the wiki.`,
      `Address: ${address}. Service account: ${account}. Its password was changed to ${password} last week and has not been entered in the safe yet.`,
      'Two scheduled tasks still run under a personal account and must be moved before that account is closed.',
      'The support contract ends with the year. The vendor has remote access on request; switch it off after each session.',
    ],
  }),
  ({ system, site, others: [first, second], account, password, address }) => ({
    title: `Emergency procedure for the ${system}`,
    paragraphs: [
      `Use this procedure only when the ${system} in ${site} is unavailable for more than thirty minutes and neither ${first} nor ${second} can be reached.`,
      `Connect to ${address} with the account ${account} and the emergency password ${password}. It is changed after every use.`,
      'Stop all services in the order of the list in the appendix, restore the configuration of the night, and start them in the reverse order.',
      'Report what was done on the following working day. The log of the session is kept for ninety days.',
    ],
  }),
]

const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
const PASSWORD = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'

export function memorandum(draws: Draws): Memorandum {
  const [author = '', first = '', second = ''] = draws.pickSome(PEOPLE, 3)
  const facts: Facts = {
    system: draws.pick(SYSTEMS),
    site: draws.pick(SITES),
    others: [first, second],
    account: `svc-${draws.text(LETTERS, 3)}-${draws.integer(1, 9)}`,
    password: draws.text(PASSWORD, draws.integer(11, 15)),
    address: `10.${draws.integer(10, 240)}.${draws.integer(0, 250)}.${draws.integer(10, 240)}`,
  }
  return { author, ...draws.pick(TOPICS)(facts) }
}
