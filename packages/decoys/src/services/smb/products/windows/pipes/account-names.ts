// Names that SIDs have on this machine, and the other way round.
import { NT_AUTHORITY, sidText, USE, type Sid } from '../../../protocol/pipes/lsa-types.ts'
import { findAccount } from '../accounts.ts'
import type { Machine } from '../machine.ts'

export interface Translated {
  readonly name: string
  readonly use: number
  /** Undefined: it belongs to no domain that is known. */
  readonly domain: { readonly name: string; readonly parts: readonly number[] } | undefined
}

const BUILTIN = { name: 'BUILTIN', parts: [32] }
const NT = { name: 'NT AUTHORITY', parts: [] }
const ALIASES: Readonly<Record<number, string>> = {
  544: 'Administrators',
  545: 'Users',
  546: 'Guests',
  547: 'Power Users',
  551: 'Backup Operators',
  555: 'Remote Desktop Users',
  562: 'Distributed COM Users',
  568: 'IIS_IUSRS',
  580: 'Remote Management Users',
}
const WELL_KNOWN: Readonly<Record<number, string>> = {
  2: 'NETWORK',
  4: 'INTERACTIVE',
  7: 'ANONYMOUS LOGON',
  11: 'Authenticated Users',
  18: 'SYSTEM',
  19: 'LOCAL SERVICE',
  20: 'NETWORK SERVICE',
}

/** The name of a SID; the text of an unknown one, or its last number in hex if its domain is known. */
export function translateSid(machine: Machine, sid: Sid): Translated {
  const { authority, parts } = sid
  const unknown: Translated = { name: sidText(sid), use: USE.unknown, domain: undefined }
  if (authority !== NT_AUTHORITY) return unknown
  const own = { name: machine.names.netbiosComputer, parts: machine.sid }
  const isOwn = machine.sid.every((part, i) => parts[i] === part)
  const last = parts.at(-1) ?? 0
  if (isOwn && parts.length === machine.sid.length) return { name: '', use: USE.domain, domain: own }
  if (isOwn && parts.length === machine.sid.length + 1) {
    const account = machine.accounts.find(({ rid }) => rid === last)
    if (account) return { ...account, domain: own }
    return { name: last.toString(16).toUpperCase().padStart(8, '0'), use: USE.unknown, domain: own }
  }
  if (parts.length === 2 && parts[0] === 32 && ALIASES[last] !== undefined)
    return { name: ALIASES[last], use: USE.alias, domain: BUILTIN }
  if (parts.length === 1 && WELL_KNOWN[last] !== undefined)
    return { name: WELL_KNOWN[last], use: USE.wellKnown, domain: NT }
  return unknown
}

/** What a name stands for: its relative id and its domain. A domain before it must be this machine's. */
export function translateName(
  machine: Machine,
  text: string,
): (Translated & { readonly rid: number }) | undefined {
  const [name = '', domain] = text.split('\\').reverse()
  const own = { name: machine.names.netbiosComputer, parts: machine.sid }
  const isOwnDomain = domain === undefined || domain.toUpperCase() === own.name
  const account = isOwnDomain ? findAccount(machine.accounts, name) : undefined
  if (account) return { ...account, domain: own }
  const isBuiltin = domain === undefined || domain.toUpperCase() === BUILTIN.name
  const alias = Object.entries(ALIASES).find(([, each]) => each.toUpperCase() === name.toUpperCase())
  return isBuiltin && alias
    ? { name: alias[1], use: USE.alias, domain: BUILTIN, rid: Number(alias[0]) }
    : undefined
}
