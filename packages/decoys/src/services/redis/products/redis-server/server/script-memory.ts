// What the scripts that Redis keeps take of its memory, as INFO says it.
import { overhead, sizeClass } from './allocation.ts'

/** Of the kept scripts, each entry of their table, its slots, and hash and text as jemalloc rounds them. */
export function scriptMemory(scripts: ReadonlyMap<string, string>): number {
  if (scripts.size === 0) return 0
  const slots = 2 ** Math.max(2, Math.ceil(Math.log2(scripts.size)))
  let bytes = slots * 8
  for (const text of scripts.values())
    bytes += ENTRY_BYTES + HASH_BYTES + sizeClass(text.length + overhead(text.length))
  return bytes
}

const ENTRY_BYTES = 40
const HASH_BYTES = 48

const LUA_BYTES = 31_744
const FUNCTIONS_VM_BYTES = 32_768

/** The interpreter of EVAL grows with what it has compiled. */
export const luaMemory = (scripts: number): { readonly eval: number; readonly total: number } => {
  const own = LUA_BYTES + 1_024 * Math.ceil(0.75 * scripts)
  return { eval: own, total: own + FUNCTIONS_VM_BYTES }
}
