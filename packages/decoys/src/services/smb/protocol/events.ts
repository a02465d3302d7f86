// What the events of this service say, by the keys of its descriptor.
import type { DecoyEvent } from '../../../session/session.ts'
import { DIALECT, type Dialect } from './codec/dialect.ts'
import { STATUS, statusName } from './codec/status.ts'
import type { Identity } from './state.ts'
import { crackerLine } from '../../../windows/netntlm.ts'
import { isAnonymous, type Authenticate } from '../../../windows/ntlm.ts'
import { readableText } from '../../../session/readable.ts'
import { startOf } from '../../../windows/fields.ts'

const DIALECT_NAMES: Readonly<Record<Dialect, string>> = {
  [DIALECT.v202]: '2.0.2',
  [DIALECT.v210]: '2.1',
  [DIALECT.v300]: '3.0',
  [DIALECT.v302]: '3.0.2',
  [DIALECT.v311]: '3.1.1',
}

/** Who is logged in, and where: part of a call. */
export interface Who {
  readonly identity: Identity
  readonly machine: { readonly netbiosName: string }
  readonly negotiated: { readonly dialect: Dialect }
}

/** What is reported and kept of a name; the longest user name of Windows has 104 characters, a message thousands. */
const MAX_NAME = 256

export const withShortNames = (login: Authenticate): Authenticate => ({
  ...login,
  user: startOf(login.user, MAX_NAME),
  domain: startOf(login.domain, MAX_NAME),
  workstation: startOf(login.workstation, MAX_NAME),
})

/** Samba says 6.1 without a build; Windows says its own version. */
export function systemName(version: string | undefined): string {
  if (version === undefined) return 'unknown'
  return version === '6.1.0' ? 'Samba' : `Windows ${version}`
}

export interface LoginFacts {
  readonly login: Authenticate
  readonly challenge: Buffer
  readonly dialect: Dialect
  readonly computer: string
  readonly system: string
  readonly status: number
}

/** 5010: a login, whatever became of it. */
export function loginEvent({ login, challenge, dialect, computer, system, status }: LoginFacts): DecoyEvent {
  const response = crackerLine(login, challenge)
  const type = login.ntResponse.length > 24 ? 'NTLMv2' : login.ntResponse.length === 24 ? 'NTLMv1' : 'None'
  return {
    logtype: '5010',
    fields: {
      USER: readableText(userName(login)),
      DOMAIN: readableText(login.domain),
      LOCALNAME: computer,
      REMOTENAME: readableText(login.workstation),
      SMBVER: DIALECT_NAMES[dialect],
      SMBARCH: system,
      STATUS: statusName(status),
      LOGINTYPE: isAnonymous(login) ? 'Anonymous' : type,
      RESPONSE: readableText(response),
    },
  }
}

/** As Windows names somebody without a name. */
const userName = (login: Authenticate): string => (isAnonymous(login) ? 'ANONYMOUS LOGON' : login.user)

const whoIn = ({ identity, machine, negotiated }: Who): Record<string, string> => ({
  USER: readableText(identity.user),
  DOMAIN: readableText(identity.domain),
  LOCALNAME: machine.netbiosName,
  REMOTENAME: readableText(identity.workstation),
  SMBVER: DIALECT_NAMES[negotiated.dialect],
  SMBARCH: identity.system,
})

/** 5014: a connection to a share. */
export const treeEvent = (call: Who, share: string, status: number): DecoyEvent => ({
  logtype: '5014',
  fields: {
    ...whoIn(call),
    SHARENAME: readableText(share),
    AUDITACTION: 'connect',
    STATUS: statusName(status),
  },
})

export interface FileTouch {
  readonly path: string
  readonly action: 'open' | 'read' | 'write' | 'delete' | 'create'
  /** What was asked for: `r` or `w`. */
  readonly mode: 'r' | 'w'
  readonly offset?: number
  readonly size: number
  readonly status?: number
}

/** 5000: a file was opened, read, or was to be changed. */
export const fileEvent = (
  call: Who & { readonly tree: { readonly name: string } },
  { path, action, mode, offset = 0, size, status = STATUS.success }: FileTouch,
): DecoyEvent => ({
  logtype: '5000',
  fields: {
    ...whoIn(call),
    SHARENAME: readableText(call.tree.name),
    FILENAME: readableText(path.replaceAll('\\', '/')),
    AUDITACTION: action,
    MODE: mode,
    OFFSET: offset,
    SIZE: size,
    STATUS: statusName(status),
  },
})

/** 5013: users and groups were asked for. 5015: the registry. */
export const pipeEvent = (
  call: Who,
  logtype: '5013' | '5015',
  action: string,
  status: number,
): DecoyEvent => ({
  logtype,
  fields: { ...whoIn(call), AUDITACTION: action, STATUS: statusName(status) },
})
