// Which variable a name means: each function has slots for its locals, and upvalues that it takes from around it.
import type { FunctionBody, Variable } from './syntax.ts'

interface FunctionScope {
  readonly outer: FunctionScope | undefined
  readonly hasVarargs: boolean
  /** Name and slot; the innermost last. */
  readonly visible: { readonly name: string; readonly slot: number }[]
  readonly upvalues: { readonly name: string; readonly isSlot: boolean; readonly index: number }[]
  slots: number
  loops: number
}

export type Scope = FunctionScope

export const openScope = (outer: Scope | undefined, hasVarargs: boolean): Scope => ({
  outer,
  hasVarargs,
  visible: [],
  upvalues: [],
  slots: 0,
  loops: 0,
})

/** Declares a local that is visible from now on. */
export function declare(scope: Scope, name: string): number {
  const slot = scope.slots++
  scope.visible.push({ name, slot })
  return slot
}

/** Runs `read`, and forgets the locals that it declared. */
export function inBlock<T>(scope: Scope, read: () => T): T {
  const before = scope.visible.length
  const result = read()
  scope.visible.length = before
  return result
}

export function resolve(scope: Scope, name: string): Variable {
  const local = scope.visible.findLast((one) => one.name === name)
  if (local) return { kind: 'local', slot: local.slot, name }
  const index = upvalueOf(scope, name)
  return index < 0 ? { kind: 'global', name } : { kind: 'upvalue', index, name }
}

/** The place of an upvalue, which is taken from the functions around; -1: the name is a global. */
function upvalueOf(scope: Scope, name: string): number {
  const known = scope.upvalues.findIndex((one) => one.name === name)
  if (known >= 0 || !scope.outer) return known
  const local = scope.outer.visible.findLast((one) => one.name === name)
  const index = local ? local.slot : upvalueOf(scope.outer, name)
  if (index < 0) return -1
  scope.upvalues.push({ name, isSlot: local !== undefined, index })
  return scope.upvalues.length - 1
}

export const bodyOf = (
  { slots, upvalues, hasVarargs }: Scope,
  parameters: readonly number[],
  body: FunctionBody['body'],
): FunctionBody => ({
  parameters,
  hasVarargs,
  slots,
  upvalues: upvalues.map(({ isSlot, index }) => ({ isSlot, index })),
  body,
})
