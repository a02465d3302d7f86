// Every kind of token that is made of texts alone: how fast a factory creates them, each stored before its answer.
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { atLeast, exactly, type Row } from '../../rig/case.ts'
import type { RunningConsole } from '../../rig/scenes/console.ts'
import { median } from '../../rig/load/rounds.ts'
import { postRequest, type Load, type Loader } from '../../rig/load/load.ts'
import { sized } from '../../rig/scale.ts'

const CONNECTIONS = 64
const PATH = '/decoytoken/factory/create'
const LEAST = 2_000
/** Of short loads, so that a bad second of the machine falls on several kinds, and on each once. */
const ROUNDS = 3

/** The parameters of a new token, as its kind's own example has them; none for a kind that wants a file. */
export function textOrders(kinds: readonly TokenDescriptor[] = descriptors): ReadonlyMap<string, Order> {
  const withoutFile = kinds.filter(
    ({ example }) => !Object.values(example.settings).some((value) => value.startsWith('@')),
  )
  return new Map(
    withoutFile.map(({ kind, example }) => [kind, { kind, memo: `Bench of ${kind}`, ...example.settings }]),
  )
}

type Order = Readonly<Record<string, string>>

export interface TextKinds {
  readonly rows: readonly Row[]
  /** The rate of each kind, and who was left out. */
  readonly note: string
}

/** A factory of the console makes them: `factory_auth` is its key. */
export async function measureTextKinds(
  console: RunningConsole,
  loader: Loader,
  factory_auth: string,
): Promise<TextKinds> {
  const orders = [...textOrders()].map(([kind, order]) => ({ kind, order: { ...order, factory_auth } }))
  const tried = await Promise.all(
    orders.map(async ({ kind, order }) => ({ kind, order, ...(await console.post(PATH, order)) })),
  )
  const made = tried.filter(({ status }) => status === 200)
  const left = tried.filter(({ status }) => status !== 200).map(({ kind }) => kind)
  let refused = left.filter((kind) => !needsAccount(kind)).length
  const load = async (requests: readonly string[], ms: number): Promise<Load> => {
    const { port } = console
    const done = await loader.run({ host: '127.0.0.1', port, connections: CONNECTIONS, requests, ms })
    refused += done.refused + done.broken
    return done
  }
  const requestOf = (order: Order): string => postRequest(`/api/v1${PATH}`, order)

  const rounds = new Map<string, number[]>(made.map(({ kind }) => [kind, []]))
  for (let round = 0; round <= ROUNDS; round++)
    for (const { kind, order } of made) {
      const { perSecond } = await load([requestOf(order)], sized(700, 150))
      // The first compiles what the kind needs.
      if (round > 0) rounds.get(kind)?.push(perSecond)
    }
  const rates = [...rounds].map(([kind, all]) => ({ kind, perSecond: median(all) }))
  const inTurn = await load(
    made.map(({ order }) => requestOf(order)),
    sized(4_000, 500),
  )
  const slowest = rates.reduce((least, rate) => (rate.perSecond < least.perSecond ? rate : least))
  return {
    rows: [
      atLeast(`tokens of all ${rates.length} text kinds in turn`, inTurn.perSecond, '/s', LEAST),
      atLeast(`tokens of the slowest of them, ${slowest.kind}`, slowest.perSecond, '/s', LEAST),
      exactly('orders of text kinds refused', refused, '', 0),
    ],
    note: `a second: ${rates.map(({ kind, perSecond }) => `${kind} ${Math.round(perSecond)}`).join(', ')}${left.length > 0 ? `; without an account there is no ${left.join(', ')}` : ''}`,
  }
}

/** Of a service that issues what the kind plants. */
const needsAccount = (wanted: string): boolean =>
  descriptors.some((it: TokenDescriptor) => it.kind === wanted && it.provider !== undefined)
