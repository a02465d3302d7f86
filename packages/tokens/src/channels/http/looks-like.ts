// What a client says that it is, in words: the event key `looks_like`. Anybody can write a User-Agent, so nothing is decided
// by it.
import { BROWSERS, CLIENT_GROUPS, SYSTEMS, type NamedClient } from './user-agents.data.ts'

const MAX_CHARACTERS = 512
const MAX_VERSION_CHARACTERS = 16

/** Such as `curl 8.5.0, a program` or `Firefox 132 on Windows`; undefined for a text that names nobody known. */
export function looksLike(userAgent: string): string | undefined {
  const text = userAgent.slice(0, MAX_CHARACTERS)
  const lower = text.toLowerCase()
  for (const { what, clients } of CLIENT_GROUPS) {
    const client = firstNamed(text, lower, clients)
    if (client !== undefined) return `${client}, ${what}`
  }
  if (!lower.startsWith('mozilla/')) return undefined
  const browser = firstNamed(text, lower, BROWSERS)
  const system = SYSTEMS.find(([part]) => text.includes(part))?.[1]
  if (browser === undefined) return undefined
  return system === undefined ? browser : `${browser} on ${system}`
}

/** Its name and its version. */
function firstNamed(text: string, lower: string, clients: readonly NamedClient[]): string | undefined {
  for (const { product, name = product } of clients) {
    const at = lower.indexOf(product.toLowerCase())
    // `git/2.39` is git, `digit/2` is not.
    if (at < 0 || /[a-z0-9-]/.test(lower.charAt(at - 1))) continue
    const behind = text.slice(at + product.length)
    if (/^[A-Za-z0-9-]/.test(behind)) continue
    const version = /^[/ ]v?(\d[\w.]*)/.exec(behind.slice(0, MAX_VERSION_CHARACTERS))?.[1]
    return version === undefined ? name : `${name} ${version}`
  }
  return undefined
}
