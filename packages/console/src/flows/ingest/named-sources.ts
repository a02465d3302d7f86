// Does an address bear a name of the host-name list? Its reverse zone belongs to whoever has the address, so a name
// counts only if it leads back to the same address. What was found is remembered; what takes longer than a second
// is no name, for half a minute.
import type { Clock, Resolver } from '@rookery/kernel/world.ts'
import { readAddress } from '../../net/address-set.ts'
import type { HostList } from '../../net/host-list.ts'
import { plainAddress } from '../../net/ranges.ts'

export interface NamedSources {
  /** Undefined while nobody has looked it up for this list. */
  isNamed(address: string, hosts: HostList): boolean | undefined
  /** Looks it up; resolves within a second, and then `isNamed` knows. */
  ask(address: string, hosts: HostList): Promise<void>
}

interface Question {
  readonly address: string
  readonly hosts: HostList
  readonly answered: Promise<void>
  readonly resolve: () => void
  cancel: () => void
  isRunning: boolean
  isOver: boolean
}

const PATIENCE_MS = 1_000
const AT_ONCE = 64
/** Past this, an address counts as one without a name: better an alert too many. */
const MOST_QUESTIONS = 4_000
const NAMED_MS = 300_000
/** A server that failed for a moment looks the same. */
const NAMELESS_MS = 60_000
const UNANSWERED_MS = 30_000
const MOST_REMEMBERED = 10_000
/** A reverse zone may claim any number of names. */
const MOST_NAMES = 8
/** Node.js has four threads for such calls and for files. */
const MOST_SYSTEM_CALLS = 2

export function openNamedSources({
  resolver,
  clock,
}: {
  readonly resolver: Resolver
  readonly clock: Clock
}): NamedSources {
  let listed: HostList | undefined
  const remembered = new Map<string, { readonly isNamed: boolean; readonly until: number }>()
  const questions = new Map<string, Question>()
  const waiting: Question[] = []
  let running = 0
  let systemCalls = 0

  function use(hosts: HostList): void {
    if (hosts === listed) return
    listed = hosts
    remembered.clear()
  }

  function remember({ address, hosts }: Question, isNamed: boolean, forMs: number): void {
    if (hosts !== listed) return
    remembered.delete(address)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= MOST_REMEMBERED) remembered.delete(oldest)
    remembered.set(address, { isNamed, until: clock.now() + forMs })
  }

  function begin(address: string, hosts: HostList): Question {
    const { promise, resolve } = Promise.withResolvers<void>()
    const question: Question = {
      address,
      hosts,
      answered: promise,
      resolve,
      cancel: clock.after(PATIENCE_MS, () => finish(question, undefined)),
      isRunning: false,
      isOver: false,
    }
    questions.set(address, question)
    waiting.push(question)
    next()
    return question
  }

  function next(): void {
    while (running < AT_ONCE && waiting.length > 0) {
      const question = waiting.shift()
      // It waited in vain.
      if (!question || question.isOver) continue
      question.isRunning = true
      running++
      bearsName(question).then(
        (isNamed) => finish(question, isNamed),
        () => finish(question, false),
      )
    }
  }

  async function bearsName(question: Question): Promise<boolean> {
    const claimed = await resolver.reverse(plainAddress(question.address))
    for (const name of claimed.filter((it) => question.hosts.has(it)).slice(0, MOST_NAMES)) {
      if (await leadsBack(name, question)) return true
    }
    return false
  }

  /** Asks the DNS; what it does not know may stand in this machine's own list of hosts. */
  async function leadsBack(name: string, question: Question): Promise<boolean> {
    const own = readAddress(question.address)
    const isOwn = (address: string): boolean => readAddress(address) === own
    if (resolver.records) {
      if ((await resolver.records(name)).some(isOwn)) return true
      // The system's resolver occupies a thread for as long as the name's zone, the intruder's, likes.
      if (question.isOver || systemCalls >= MOST_SYSTEM_CALLS) return false
    }
    systemCalls++
    try {
      return (await resolver.addresses(name)).some(isOwn)
    } finally {
      systemCalls--
    }
  }

  /** An answer that comes too late is still remembered. */
  function finish(question: Question, isNamed: boolean | undefined): void {
    if (isNamed !== undefined) remember(question, isNamed, isNamed ? NAMED_MS : NAMELESS_MS)
    if (question.isOver) return
    if (isNamed === undefined) remember(question, false, UNANSWERED_MS)
    question.isOver = true
    question.cancel()
    questions.delete(question.address)
    if (question.isRunning) running--
    question.resolve()
    next()
  }

  return {
    isNamed(address, hosts) {
      use(hosts)
      const known = remembered.get(address)
      if (known && known.until > clock.now()) return known.isNamed
      return questions.size >= MOST_QUESTIONS || readAddress(address) === undefined ? false : undefined
    },
    ask(address, hosts) {
      use(hosts)
      return (questions.get(address) ?? begin(address, hosts)).answered
    },
  }
}
