// The three messages of NTLM ([MS-NLMP] 2.2.1).
import type { WindowsNames } from '../machine/story.ts'
import { textOfBytes } from '../session/readable.ts'
import { join, part, reader, textOf, u16, u32, u64, utf16, zeros } from './fields.ts'

/** NEGOTIATE flags ([MS-NLMP] 2.2.2.5). */
export const NTLM_FLAG = {
  unicode: 0x1,
  oem: 0x2,
  requestTarget: 0x4,
  sign: 0x10,
  seal: 0x20,
  ntlm: 0x200,
  anonymous: 0x800,
  alwaysSign: 0x8000,
  targetTypeDomain: 0x10000,
  targetTypeServer: 0x20000,
  extendedSessionSecurity: 0x80000,
  targetInfo: 0x800000,
  version: 0x2000000,
  key128: 0x20000000,
  keyExchange: 0x40000000,
  key56: 0x80000000,
} as const

const SIGNATURE = Buffer.from('NTLMSSP\0', 'latin1')

/** 1 NEGOTIATE, 3 AUTHENTICATE; undefined when it is no message of NTLM. */
export const messageType = (message: Buffer): number | undefined =>
  message.length >= 12 && message.subarray(0, 8).equals(SIGNATURE) ? message.readUInt32LE(8) : undefined

/** The flags of a NEGOTIATE message. */
export const negotiateFlags = (message: Buffer): number =>
  message.length >= 16 ? message.readUInt32LE(12) : 0

/** Major, minor and build of the client's system, such as `10.0.19041`; undefined when it sends none. */
export function clientVersion(message: Buffer, flags: number): string | undefined {
  const at = messageType(message) === 3 ? 64 : 32
  if ((flags & NTLM_FLAG.version) === 0 || message.length < at + 8) return undefined
  return `${message[at]}.${message[at + 1]}.${message.readUInt16LE(at + 2)}`
}

export interface Challenge {
  readonly names: WindowsNames
  readonly challenge: Buffer
  /** FILETIME. */
  readonly time: bigint
  /** Windows 10 build, such as 17763. */
  readonly build: number
}

/** What every Windows agrees to, if the client asks for it. */
const AGREED =
  NTLM_FLAG.unicode |
  NTLM_FLAG.requestTarget |
  NTLM_FLAG.sign |
  NTLM_FLAG.seal |
  NTLM_FLAG.ntlm |
  NTLM_FLAG.alwaysSign |
  NTLM_FLAG.extendedSessionSecurity |
  NTLM_FLAG.version |
  NTLM_FLAG.key128 |
  NTLM_FLAG.keyExchange |
  NTLM_FLAG.key56

/** The CHALLENGE message ([MS-NLMP] 2.2.1.2). */
export function challengeMessage(clientFlags: number, { names, challenge, time, build }: Challenge): Buffer {
  const asksUnicode = (clientFlags & NTLM_FLAG.unicode) !== 0
  const flags =
    (clientFlags & AGREED) |
    (asksUnicode ? 0 : NTLM_FLAG.oem) |
    (names.isDomain ? NTLM_FLAG.targetTypeDomain : NTLM_FLAG.targetTypeServer) |
    NTLM_FLAG.targetInfo |
    NTLM_FLAG.version
  const name = names.isDomain ? names.netbiosDomain : names.netbiosComputer
  const target = asksUnicode ? utf16(name) : Buffer.from(name, 'latin1')
  const info = targetInfo(names, time)
  const field = (content: Buffer, at: number): Buffer =>
    join(u16(content.length), u16(content.length), u32(at))
  return join(
    SIGNATURE,
    u32(2),
    field(target, 56),
    u32(flags),
    challenge,
    zeros(8),
    field(info, 56 + target.length),
    Buffer.from([10, 0]),
    u16(build),
    Buffer.from([0, 0, 0, 15]),
    target,
    info,
  )
}

/** AV_PAIRs in the order in which Windows sends them ([MS-NLMP] 2.2.2.1). */
function targetInfo(names: WindowsNames, time: bigint): Buffer {
  const pair = (id: number, content: Buffer): Buffer => join(u16(id), u16(content.length), content)
  return join(
    pair(2, utf16(names.netbiosDomain)),
    pair(1, utf16(names.netbiosComputer)),
    pair(4, utf16(names.dnsDomain)),
    pair(3, utf16(names.dnsComputer)),
    ...(names.isDomain ? [pair(5, utf16(names.dnsDomain))] : []),
    pair(7, u64(time)),
    pair(0, zeros(0)),
  )
}

export interface Authenticate {
  readonly lmResponse: Buffer
  readonly ntResponse: Buffer
  readonly domain: string
  readonly user: string
  readonly workstation: string
  readonly encryptedKey: Buffer
  readonly flags: number
}

/** Reads an AUTHENTICATE message ([MS-NLMP] 2.2.1.3); undefined when a part lies outside of it. */
export function readAuthenticate(message: Buffer): Authenticate | undefined {
  const fields = reader(message)
  fields.skip(12)
  const next = (): Buffer | undefined => {
    const length = fields.u16()
    fields.skip(2)
    return part(message, fields.u32(), length)
  }
  const parts = [next(), next(), next(), next(), next(), next()]
  const [lmResponse, ntResponse, domain, user, workstation, encryptedKey] = parts
  const flags = fields.u32()
  if (!fields.isIntact || !lmResponse || !ntResponse || !domain || !user || !workstation || !encryptedKey)
    return undefined
  const text = (bytes: Buffer): string => (flags & NTLM_FLAG.unicode ? textOf(bytes) : textOfBytes(bytes))
  return {
    lmResponse,
    ntResponse,
    domain: text(domain),
    user: text(user),
    workstation: text(workstation),
    encryptedKey,
    flags,
  }
}

/** No user: an empty name without a response ([MS-NLMP] 3.2.5.1.2). */
export const isAnonymous = ({ user, ntResponse }: Authenticate): boolean =>
  user === '' && ntResponse.length === 0
