// SIDs in NDR ([MS-DTYP] 2.4.2.3), and the names that they have on this machine.
import { u32 } from '../../../../windows/fields.ts'
import { findAccount } from '../accounts.ts'
import type { Machine } from '../machine.ts'
import type { NdrReader, NdrWriter } from './ndr.ts'

/** The identifier authority and the sub-authorities of a SID. */
export interface Sid {
  readonly authority: number
  readonly parts: readonly number[]
}

const NT_AUTHORITY = 5
const MAX_PARTS = 15

/** A SID of the NT authority with these sub-authorities. */
export function writeSid(to: NdrWriter, parts: readonly number[]): void {
  to.u32(parts.length)
  to.bytes(Buffer.from([1, parts.length, 0, 0, 0, 0, 0, NT_AUTHORITY]))
  to.bytes(Buffer.concat(parts.map(u32)))
}

export function readSid(from: NdrReader): Sid {
  const count = from.u32()
  const [, partCount = 0, , , , , , authority = 0] = from.bytes(8)
  const isRight = count === partCount && count <= MAX_PARTS
  const parts = Array.from({ length: isRight ? count : 0 }, () => from.u32())
  if (!isRight) from.bytes(-1)
  return { authority, parts }
}

export const sidText = ({ authority, parts }: Sid): string => ['S-1', authority, ...parts].join('-')

/** SID_NAME_USE ([MS-LSAT] 2.2.13). */
export const USE = { user: 1, group: 2, domain: 3, alias: 4, wellKnown: 5, unknown: 8 } as const

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
