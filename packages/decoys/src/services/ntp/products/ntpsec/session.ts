// ntpd of ntpsec that may be asked about itself: time for clients, its variables in mode 6, nothing in mode 7.
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { SessionContext, SessionRunner } from '../../../../session/session.ts'
import {
  decode,
  errorResponse,
  response,
  timestamp,
  type Control,
  type Datagram,
} from '../../protocol/codec.ts'
import { clockOf } from './clock.ts'
import * as profile from './profile.ts'

/** With the kernel of its machine, such as `6.1.0-28-amd64`. */
export const ntpSession = (kernelOf: (context: SessionContext) => string): SessionRunner =>
  sessionRunner<undefined, Datagram>({
    limits: { frameBytes: 65_536, idleMs: 1_000 },
    decode,
    open: () => ({ state: undefined }),
    step(state, datagram, context) {
      if (datagram.kind === 'time') return { state, send: timeFor(datagram.bytes, context) }
      if (datagram.kind === 'other') return { state }
      const events = [{ logtype: '11001', fields: { NTP_CMD: commandOf(datagram) } }]
      const [send, ...more] = datagram.kind === 'control' ? answer(datagram, context, kernelOf(context)) : []
      return send
        ? { state, events, send, furtherWrites: more.map((part) => ({ send: part })) }
        : { state, events }
    },
  })

function commandOf(datagram: Datagram): string {
  if (datagram.kind === 'control')
    return profile.COMMANDS[datagram.opcode] ?? `mode 6, operation ${datagram.opcode}`
  const request = datagram.kind === 'private' ? datagram.bytes[3] : undefined
  if (request === undefined) return 'not whole'
  return profile.MONLIST.has(request) ? 'monlist' : `mode 7, request ${request}`
}

/** RFC 5905, 7.3: version and poll as asked, and the client's time of sending as the origin. */
function timeFor(asked: Buffer, context: SessionContext): Buffer {
  const { rootDelay, rootDispersion, server, updated } = clockOf(context)
  const [at, within] = [context.now(), context.random(4).readUInt32BE() % 900_000]
  const bytes = Buffer.from(asked)
  bytes[0] = (asked[0]! & 0x38) | 4
  bytes[1] = profile.STRATUM
  bytes.writeInt8(profile.PRECISION, 3)
  bytes.writeUInt32BE(Math.round(rootDelay * 65_536), 4)
  bytes.writeUInt32BE(Math.round(rootDispersion * 65_536), 8)
  bytes.set([...server, ...updated, ...asked.subarray(40)], 12)
  bytes.set([...timestamp(at, within), ...timestamp(at, within + 20_000 + (within % 40_000))], 32)
  return bytes
}

/** The datagrams; none where ntpd is silent. */
function answer(asked: Control, context: SessionContext, kernel: string): readonly Buffer[] {
  const { opcode, association, data, isOdd } = asked
  const fail = (error: keyof typeof profile.ERROR): readonly Buffer[] =>
    errorResponse(asked, profile.ERROR[error])
  if (isOdd) return []
  if (data === undefined) return fail('format')
  if (profile.AUTHENTICATED.has(opcode)) return fail('permission')
  // Who has asked is shown to nobody without a nonce.
  if (opcode === 10) return []
  if (opcode > 12 || (opcode > 4 && opcode < 12)) return fail('opcode')
  const { system, peer, association: known } = clockOf(context)
  const isPeer = association !== 0
  const tell = (text: string | Buffer = ''): readonly Buffer[] =>
    response(asked, isPeer ? profile.PEER_STATUS : profile.SYSTEM_STATUS, text)
  if (opcode === 12)
    return tell(`nonce=${timestamp(context.now()).toString('hex')}${context.random(4).toString('hex')}\r\n`)
  // It has no clock of its own, and one server.
  if (opcode === 4 || (isPeer && association !== known)) return fail('association')
  if (opcode === 0) return tell()
  if (opcode === 1 && !isPeer) return tell(Buffer.from([known >> 8, known & 0xff, ...PEER_WORD]))
  const found = chosen((isPeer ? peer() : system(kernel)).split(', '), opcode === 1 ? '' : data)
  return found ? tell(lines(found)) : fail('variable')
}

const PEER_WORD = [profile.PEER_STATUS >> 8, profile.PEER_STATUS & 0xff]

/** Those that are asked for, in their own order; all where none is named; undefined with an unknown one. */
function chosen(variables: readonly string[], asked: string): readonly string[] | undefined {
  const names = asked
    .split(',')
    .map((item) => item.replace(/^[\t-\r ]+/, ''))
    .flatMap((item) => (item === '' ? [] : [item.split('=', 1)[0]!]))
  if (names.length === 0) return variables
  const known = new Map(variables.map((variable) => [variable.split('=', 1)[0]!, variable]))
  const wanted = new Set(names)
  return names.every((name) => known.has(name))
    ? [...known].flatMap(([name, variable]) => (wanted.has(name) ? [variable] : []))
    : undefined
}

function lines(items: readonly string[]): string {
  let [text, width] = ['', 0]
  for (const item of items) {
    const isFull = width + item.length + 2 >= profile.LINE_WIDTH
    if (text !== '') text += isFull ? ',\r\n' : ', '
    width = text === '' || isFull ? item.length : width + 2 + item.length
    text += item
  }
  return `${text}\r\n`
}
