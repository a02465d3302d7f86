// What one token factory may create: so many tokens a second, and so many in all.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { AppContext } from '../../app-context.ts'
import { countTokensOfFactory } from '../../stores/tokens/factory-counts.store.ts'

export interface FactoryBounds {
  readonly tokensPerSecond: number
  readonly tokens: number
}

/** Runs `create` for the factory with this key id; throws `too-many` or `conflict` past its bounds. */
export type FactoryAllowance = <T>(factoryKeyId: string, create: () => Promise<T>) => Promise<T>

/** Factories that are counted apart; the options set what each may do. */
const FACTORIES = limit('token_factories_counted', 10_000)
/** Tokens that a factory may create; an option sets it. */
const TOKENS_PER_SECOND = limit('factory_tokens_per_second', 20)
/** Tokens that a factory may have; an option sets it. */
const TOKENS = limit('factory_tokens', 10_000)
const SECOND_MS = 1_000
/** Deleted tokens, and those made through another console, are seen after this time. */
const COUNT_AGAIN_MS = 60_000

interface Counted {
  readonly at: number
  tokens: number
}

export function factoryAllowance(
  { reader, world }: Pick<AppContext, 'reader' | 'world'>,
  bounds: FactoryBounds,
): FactoryAllowance {
  const recent = windowCounter<string>(FACTORIES, SECOND_MS)
  const counts = boundedMap<string, Counted>(FACTORIES)

  async function countOf(factoryKeyId: string): Promise<Counted> {
    const now = world.clock.now()
    const known = counts.get(factoryKeyId)
    if (known && Math.abs(now - known.at) < COUNT_AGAIN_MS) return known
    const counted = { at: now, tokens: await countTokensOfFactory(reader, factoryKeyId) }
    counts.set(factoryKeyId, counted)
    return counted
  }

  return async (factoryKeyId, create) => {
    if (recent.count(factoryKeyId, world.clock.now()) > bounds.tokensPerSecond) {
      TOKENS_PER_SECOND.hit()
      throw new Fault(
        'too-many',
        `This token factory creates more than ${bounds.tokensPerSecond} tokens a second (ROOKERY_FACTORY_TOKENS_PER_SECOND).`,
        { retryAfterS: 1 },
      )
    }
    const counted = await countOf(factoryKeyId)
    if (counted.tokens >= bounds.tokens) {
      TOKENS.hit()
      throw new Fault(
        'conflict',
        `This token factory has ${counted.tokens} tokens, which is the most (ROOKERY_FACTORY_TOKENS): delete some, or create another factory.`,
      )
    }
    counted.tokens++
    try {
      return await create()
    } catch (error) {
      counted.tokens--
      throw error
    }
  }
}
