// Which name a SID has on a machine with Samba, and which SID a name has.
import { USE, type Sid } from '../../../protocol/pipes/lsa-types.ts'
import { isSameName, NOBODY, NONE, sambaUsers, unixGroups, unixUsers } from '../accounts.ts'
import type { SambaMachine } from '../machine.ts'
import { BUILTIN_NAMES, WELL_KNOWN } from './known-sids.data.ts'

export interface Domain extends Sid {
  readonly name: string
}

export interface Found {
  readonly use: number
  readonly name: string
  /** The domain itself has none. */
  readonly rid: number | undefined
  readonly domain: Domain
}

const UNIX = 22
const UNIX_USERS = 1
const UNIX_GROUPS = 2
const NT = 5

const builtin: Domain = { name: 'BUILTIN', authority: NT, parts: [32] }
const unixDomain = (kind: number): Domain => ({
  name: kind === UNIX_USERS ? 'Unix User' : 'Unix Group',
  authority: UNIX,
  parts: [kind],
})
const ownDomain = ({ netbiosName, sid }: SambaMachine): Domain => ({
  name: netbiosName,
  authority: NT,
  parts: sid,
})

const isSid = (a: Sid, b: Sid): boolean => a.authority === b.authority && a.parts.join() === b.parts.join()

const nameOf = (numbers: Readonly<Record<string, number>>, number: number): string | undefined =>
  Object.entries(numbers).find(([, each]) => each === number)?.[0]

const numberOf = (numbers: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.entries(numbers).find(([each]) => each === name)?.[1]

/** What a lookup goes through: everything, what the machine has of its own, Samba's accounts, or names with domains. */
export type Scope = 'all' | 'own' | 'accounts' | 'qualified' | 'nothing'

/** The name of a SID: without `use`, the domain is known, but not the member. */
export type Named = Found | { readonly domain: Domain | undefined }

export function nameOfSid(machine: SambaMachine, sid: Sid, scope: Scope): Named {
  const domains = scope === 'nothing' ? [] : [ownDomain(machine)]
  if (scope === 'all' || scope === 'own') domains.push(unixDomain(UNIX_USERS), unixDomain(UNIX_GROUPS))
  if (scope === 'all') domains.push(builtin, ...wellKnownDomains())
  const itself = domains.find((each) => isSid(each, sid))
  // Of domains in a domain, it gives the name that they have there.
  if (itself)
    return {
      use: USE.domain,
      name: isSid(itself, builtin) ? builtin.name : '',
      rid: undefined,
      domain: itself,
    }
  const rid = sid.parts.at(-1)
  const parent = { authority: sid.authority, parts: sid.parts.slice(0, -1) }
  const domain = domains.find((each) => isSid(each, parent))
  if (!domain || rid === undefined)
    return { domain: scope === 'all' && rid !== undefined ? { name: '', ...parent } : undefined }
  const member = memberOf(machine, domain, rid)
  return member ? { ...member, rid, domain } : { domain }
}

const wellKnownDomains = (): Domain[] =>
  Object.entries(WELL_KNOWN).map(([authority, { domain }]) => ({
    name: domain,
    authority: Number(authority),
    parts: [],
  }))

/** Of a domain that is known. */
export function memberOf(
  machine: SambaMachine,
  { authority, parts }: Sid,
  rid: number,
): Pick<Found, 'use' | 'name'> | undefined {
  if (parts.length === 0) {
    const name = WELL_KNOWN[authority]?.names[rid]
    return name === undefined ? undefined : { use: USE.wellKnown, name }
  }
  if (authority === UNIX && parts[0] === UNIX_USERS)
    return { use: USE.user, name: nameOf(unixUsers(machine), rid) ?? String(rid) }
  if (authority === UNIX) return { use: USE.group, name: nameOf(unixGroups(machine), rid) ?? String(rid) }
  if (parts.join() === builtin.parts.join()) {
    const name = BUILTIN_NAMES[rid]
    return name === undefined ? undefined : { use: USE.alias, name }
  }
  if (rid === NONE.rid) return { use: USE.group, name: NONE.name }
  const user = [NOBODY, ...sambaUsers(machine)].find((each) => each.rid === rid)
  return user && { use: USE.user, name: user.name }
}

/** The SID of a name, which may have its domain before a backslash, or behind an @. */
export function sidOfName(machine: SambaMachine, text: string, scope: Scope): Found | undefined {
  if (scope === 'nothing') return undefined
  const [domain, name] = splitName(text)
  if (domain !== '') return inDomain(machine, domain, name)
  if (scope === 'qualified') return undefined
  const own = ownDomain(machine)
  if (scope === 'accounts')
    return isSameName(name, own.name)
      ? { use: USE.domain, name: own.name, rid: undefined, domain: own }
      : inOwn(machine, name)
  const itself = name === '' ? builtin : [builtin, own].find((each) => isSameName(each.name, name))
  return (
    (scope === 'all' ? wellKnown(name) : undefined) ??
    (itself && { use: USE.domain, name: itself.name, rid: undefined, domain: itself }) ??
    (scope === 'all' ? inBuiltin(name) : undefined) ??
    inOwn(machine, name) ??
    inUnix(machine, UNIX_USERS, name) ??
    inUnix(machine, UNIX_GROUPS, name)
  )
}

function splitName(text: string): readonly [domain: string, name: string] {
  const at = text.indexOf('\\')
  if (at >= 0) return [text.slice(0, at), text.slice(at + 1)]
  const [name = '', domain = ''] = text.split('@', 2)
  return [domain, name]
}

function inDomain(machine: SambaMachine, domain: string, name: string): Found | undefined {
  if (isSameName(domain, machine.netbiosName)) return inOwn(machine, name)
  if (isSameName(domain, builtin.name)) return inBuiltin(name)
  for (const kind of [UNIX_USERS, UNIX_GROUPS])
    if (isSameName(domain, unixDomain(kind).name)) return inUnix(machine, kind, name)
  const found = wellKnown(name)
  return found && isSameName(found.domain.name, domain) ? found : undefined
}

const keyOf = (names: Readonly<Record<number, string>>, name: string): number | undefined => {
  const entry = Object.entries(names).find(([, each]) => isSameName(each, name))
  return entry && Number(entry[0])
}

function wellKnown(name: string): Found | undefined {
  for (const domain of wellKnownDomains()) {
    const rid = keyOf(WELL_KNOWN[domain.authority]?.names ?? {}, name)
    if (rid !== undefined) return { use: USE.wellKnown, name, rid, domain }
  }
  return undefined
}

function inBuiltin(name: string): Found | undefined {
  const rid = keyOf(BUILTIN_NAMES, name)
  return rid === undefined ? undefined : { use: USE.alias, name, rid, domain: builtin }
}

/** Not the account of guests: names of it are those of the system. */
function inOwn(machine: SambaMachine, name: string): Found | undefined {
  const domain = ownDomain(machine)
  if (isSameName(name, NONE.name)) return { use: USE.group, ...NONE, domain }
  const user = sambaUsers(machine).find((each) => isSameName(each.name, name))
  return user && { use: USE.user, ...user, domain }
}

/** Users in any case, groups as they are written. */
function inUnix(machine: SambaMachine, kind: number, name: string): Found | undefined {
  const rid =
    kind === UNIX_USERS
      ? numberOf(unixUsers(machine), name.toLowerCase())
      : numberOf(unixGroups(machine), name)
  const use = kind === UNIX_USERS ? USE.user : USE.group
  return rid === undefined ? undefined : { use, name, rid, domain: unixDomain(kind) }
}
