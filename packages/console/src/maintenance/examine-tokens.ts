// Tokens that nobody may ever meet: they are old, and no other machine has reached a channel of theirs.
import { std } from '@rookery/kernel/time.ts'
import type { TokenChannel } from '@rookery/contract/records/token-channel.ts'
import type { Static } from 'typebox'
import type { AppContext } from '../app-context.ts'
import { oldTokensOfKinds } from '../stores/tokens/old-tokens.store.ts'
import { isForThisMachine } from '../views/tokens/channels.ts'

interface TokenFinding {
  readonly ok: boolean
  readonly about: string
  readonly text: string
}

type Channel = Static<typeof TokenChannel>

const OLD_MS = 30 * 86_400_000
const NAMED_TOKENS = 20
const MEMO_CHARACTERS = 60

export async function examineTokens(
  { reader, engine, world }: Pick<AppContext, 'reader' | 'engine' | 'world'>,
  channels: readonly Channel[],
): Promise<TokenFinding[]> {
  const kinds = unreachedKinds(channels)
  const before = world.clock.now() - OLD_MS
  const tokens = await oldTokensOfKinds(
    { query: reader, engine: engine.name },
    kinds,
    before,
    NAMED_TOKENS + 1,
  )
  const findings = tokens.slice(0, NAMED_TOKENS).map(({ token_id, kind, memo, created_at }): TokenFinding => {
    const name = `Token ${token_id} (${kind}, ${JSON.stringify(memo.slice(0, MEMO_CHARACTERS))})`
    const text = `${name} was created ${std(created_at, 'UTC')}, and no other machine has reached its channel since: rookery tokens test ${token_id}`
    return { ok: false, about: 'token', text }
  })
  const isMore = tokens.length > NAMED_TOKENS
  return isMore ? [...findings, { ok: false, about: 'token', text: 'more tokens are like these' }] : findings
}

/** Kinds none of whose channels was reached. What names this machine alone is meant for it. */
function unreachedKinds(channels: readonly Channel[]): string[] {
  const reached = channels.filter((it) => it.reached !== null || isForThisMachine(it))
  const met = new Set(reached.flatMap(({ kinds }) => kinds))
  return [...new Set(channels.flatMap(({ kinds }) => kinds))].filter((kind) => !met.has(kind))
}
