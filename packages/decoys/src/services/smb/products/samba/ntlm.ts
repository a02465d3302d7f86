// NTLM as Samba's server speaks it: which flags it agrees to, and what it tells of the machine.
import { join, u16, u32, u64, utf16, zeros } from '../../../../windows/fields.ts'
import { NTLM_FLAG } from '../../../../windows/ntlm.ts'
import type { SambaMachine } from './machine.ts'

const MIN_BYTES = 16

/** The flags of a NEGOTIATE message; undefined when it is too short for them. */
export const readNegotiateFlags = (message: Buffer): number | undefined =>
  message.length >= MIN_BYTES ? message.readUInt32LE(12) : undefined

/** What the client may have when it asks for it. */
const AGREED =
  NTLM_FLAG.unicode |
  NTLM_FLAG.requestTarget |
  NTLM_FLAG.sign |
  NTLM_FLAG.seal |
  NTLM_FLAG.alwaysSign |
  NTLM_FLAG.extendedSessionSecurity |
  NTLM_FLAG.key128 |
  NTLM_FLAG.keyExchange |
  NTLM_FLAG.key56

export interface Challenge {
  readonly machine: SambaMachine
  readonly challenge: Buffer
  /** FILETIME. */
  readonly time: bigint
}

const SIGNATURE = Buffer.from('NTLMSSP\0', 'latin1')
const HEAD_BYTES = 56
/** 6.1, no build, and revision 15. */
const VERSION = Buffer.from([6, 1, 0, 0, 0, 0, 0, 15])

/** Names are sent to those who ask for a target. */
export function challengeMessage(asked: number, { machine, challenge, time }: Challenge): Buffer {
  const isUnicode = (asked & NTLM_FLAG.unicode) !== 0
  const hasTarget = (asked & NTLM_FLAG.requestTarget) !== 0
  const flags =
    (asked & AGREED) |
    NTLM_FLAG.ntlm |
    NTLM_FLAG.version |
    (isUnicode ? 0 : NTLM_FLAG.oem) |
    (hasTarget ? NTLM_FLAG.targetTypeServer | NTLM_FLAG.targetInfo : 0)
  const name = hasTarget ? machine.netbiosName : ''
  const target = isUnicode ? utf16(name) : Buffer.from(name, 'latin1')
  const info = hasTarget ? targetInfo(machine, time) : zeros(0)
  const field = (content: Buffer, at: number): Buffer =>
    join(u16(content.length), u16(content.length), u32(at))
  return join(
    SIGNATURE,
    u32(2),
    field(target, HEAD_BYTES),
    u32(flags),
    challenge,
    zeros(8),
    field(info, HEAD_BYTES + target.length),
    VERSION,
    target,
    info,
  )
}

/** AV_PAIRs: both NetBIOS names are the machine's, and it has no DNS domain. */
function targetInfo({ netbiosName, hostName }: SambaMachine, time: bigint): Buffer {
  const pair = (id: number, content: Buffer): Buffer => join(u16(id), u16(content.length), content)
  const name = utf16(netbiosName)
  return join(
    pair(2, name),
    pair(1, name),
    pair(4, zeros(0)),
    pair(3, utf16(hostName)),
    pair(7, u64(time)),
    pair(0, zeros(0)),
  )
}
