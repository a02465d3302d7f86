// The kinds of tokens by name.
import { Fault } from '@rookery/kernel/fault.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenKind } from '@rookery/tokens/token.ts'

/** Kind to its display name. */
export const kindNames: Readonly<Record<string, string>> = Object.fromEntries(
  descriptors.map(({ kind, name }) => [kind, name]),
)

/** The kind of this name; a wrong one is a `bad-input`. */
export function kindNamed(name: string): TokenKind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (kind) return kind
  throw new Fault('bad-input', 'Supplied kind is not valid.', {
    details: { kind: `must be one of ${Object.keys(kinds).join(', ')}` },
  })
}
