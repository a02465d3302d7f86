// An answer in the words of the corpus: what a client reads out of its bytes.
import type { Answer } from '../../test/probe.ts'
import { optionsOf, packetsOf, refusalOf, sspiOf, type ServerPacket } from './client.ts'

/** Throws where the bytes are no answer of a SQL Server. */
export const describeAnswer = ({ text, closed }: Answer): string =>
  [...packetsOf(Buffer.from(text, 'latin1')).map(describePacket), ...(closed ? ['(closed)'] : [])].join(' ')

function describePacket({ type, status, id, window, payload }: ServerPacket): string {
  if (type !== 4 || status !== 1 || id !== 1 || window !== 0)
    throw new RangeError(`The header says type ${type}, status ${status}, id ${id}, window ${window}.`)
  switch (payload[0]) {
    case 0xaa:
      return describeRefusal(payload)
    case 0xed: {
      const token = sspiOf(payload)
      return token.includes('NTLMSSP\0\x02') ? 'SSPI challenge' : 'SSPI'
    }
    default:
      return describePrelogin(payload)
  }
}

/** The row count of DONE has eight bytes since TDS 7.2. */
function describeRefusal(payload: Buffer): string {
  const done = 3 + payload.readUInt16LE(1)
  const refusal = refusalOf(payload, payload.length - done === 13)
  const { number, state, class: severity, text, server, procedure, line, doneStatus } = refusal
  const fixed = JSON.stringify([state, severity, server, procedure, line, doneStatus])
  if (fixed !== JSON.stringify([1, 14, 'DB-7', '', 1, 2])) throw new RangeError(`${number} has ${fixed}.`)
  return `${number} ${text}`
}

function describePrelogin(payload: Buffer): string {
  const options = new Map(optionsOf(payload))
  const version = options.get(0) ?? Buffer.alloc(0)
  const mars = options.get(4)
  return [
    `PRELOGIN ${version[0]}.${version[1]}.${version.readUInt16BE(2)}.${version.readUInt16BE(4)}`,
    `encryption ${options.get(1)?.[0]} instance ${options.get(2)?.[0]}`,
    ...(mars ? [`mars ${mars[0]}`] : []),
  ].join(' ')
}
