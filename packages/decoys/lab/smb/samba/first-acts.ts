// Beginnings of a connection: what is no SMB2, negotiations, and tokens that are odd.
import type { Draw } from '../../../test/draw.ts'
import { join, u16, u8 } from '../../../src/windows/fields.ts'
import { authenticateToken, initToken, negotiateToken, responseToken } from '../../windows/ntlm-client.ts'
import { ALL, emptyBody, hashes, listContext, negotiateContext, setupBody } from './bodies.ts'
import { act, connectTo, framed, login, negotiate, type Act } from './client.ts'
import { drawCredentials } from './credentials.ts'

const raw = (name: string, bytes: Buffer, answers = 1): Act => ({
  name: `${name} ${bytes.toString('hex')}`,
  answers,
  send: () => bytes,
})

const DIALECTS = ['PC NETWORK PROGRAM 1.0', 'LANMAN1.0', 'NT LM 0.12', 'SMB 2.002', 'SMB 2.???']

function smb1Negotiation(draw: Draw): Act {
  const names = draw.many(1, 4, () => draw.pick(DIALECTS))
  const text = Buffer.concat(names.map((name) => Buffer.from(`\x02${name}\0`)))
  const head = Buffer.from('ff534d4272000000001853c8000000000000000000000000fffffeff00000000', 'hex')
  return raw('smb1', framed(join(head, u8(0), u16(text.length), text)))
}

const NETBIOS_NAMES = Buffer.concat(
  ['CKFDENECFDEFFCFGEFFCCACACACACACA', 'EDEMEJEFEOFECACACACACACACACACACA'].map((name) =>
    Buffer.from(` ${name}\0`),
  ),
)

export function drawFirst(draw: Draw): Act[] {
  const kind = draw.int(8)
  if (kind < 3)
    return [
      smb1Negotiation(draw),
      ...(draw.chance(0.6) ? [negotiate({}, { messageId: BigInt(draw.int(2)) })] : []),
    ]
  if (kind === 3) return [raw('netbios', join(Buffer.from([0x81, 0, 0, 68]), NETBIOS_NAMES)), negotiate()]
  if (kind === 4)
    return [
      raw(
        'netbios',
        join(
          Buffer.from([draw.pick([0x81, 0x82, 0x85, 0x86]), 0, 0, 4]),
          Buffer.from(draw.bytes(4), 'latin1'),
        ),
        0,
      ),
      negotiate(),
    ]
  if (kind === 5) return [raw('junk', framed(Buffer.from(draw.bytes(4 + draw.int(80)), 'latin1')), 0)]
  if (kind === 6) {
    const [command, body] = [
      draw.pick([1, 2, 3, 5, 13, 20]),
      draw.pick([emptyBody(), setupBody(negotiateToken())]),
    ]
    return [act(`early ${command} ${body.length}`, command, () => body), negotiate()]
  }
  return [negotiate(), negotiate()]
}

const someOf = (draw: Draw, ids: readonly number[]): number[] => draw.many(0, 4, () => draw.pick(ids))

function drawContexts(draw: Draw): Buffer[] {
  const contexts: Buffer[] = []
  if (draw.chance(0.9))
    contexts.push(
      hashes(draw.chance(0.8) ? [1] : someOf(draw, [0, 1, 2]), Buffer.alloc(draw.pick([32, 0, 8]), 7)),
    )
  if (draw.chance(0.7)) contexts.push(listContext(2, someOf(draw, [1, 2, 3, 4, 9])))
  if (draw.chance(0.6)) contexts.push(listContext(8, someOf(draw, [0, 1, 2, 7])))
  if (draw.chance(0.15))
    contexts.push(negotiateContext(1, join(u16(1), u16(0), u16(1), Buffer.alloc(draw.int(6)))))
  if (draw.chance(0.3))
    contexts.push(
      negotiateContext(draw.pick([3, 5, 6, 7, 0x100]), Buffer.from(draw.bytes(draw.int(20)), 'latin1')),
    )
  return contexts
}

export function drawNegotiation(draw: Draw): Act[] {
  const dialects = draw.chance(0.5)
    ? draw.many(0, 5, () => draw.pick([...ALL, 0x0222, 0x0224, 0x0310, 0x02ff, 0, 0xffff]))
    : draw.pick([ALL, [0x0311]])
  const offer = {
    dialects,
    securityMode: draw.pick([0, 1, 2, 3, 0xff]),
    capabilities: draw.pick([0, 0x7f, 0x40, 8, 0xff]),
    contexts: draw.chance(0.3) ? [hashes()] : drawContexts(draw),
  }
  const fields = { credits: draw.pick([0, 1, 31, 200]), creditCharge: draw.pick([0, 1]) }
  const first = { ...negotiate(offer, fields) }
  return [
    {
      ...first,
      name: `${first.name} ${JSON.stringify({ ...offer, contexts: offer.contexts.map((each) => each.toString('hex')), ...fields })}`,
    },
    ...(draw.chance(0.4) ? [...login({ user: 'bob', ntHash: Buffer.alloc(16, 7) }), connectTo('IPC$')] : []),
  ]
}

const MECHANISMS = {
  ntlm: '060a2b06010401823702020a',
  kerberos: '06092a864882f712010202',
  microsoft: '06092a864886f712010202',
  negoex: '060a2b06010401823702021e',
  other: '06032a0304',
}

function mechanisms(draw: Draw): Buffer {
  const list = Buffer.from(draw.many(0, 3, () => draw.pick(Object.values(MECHANISMS))).join(''), 'hex')
  return join(Buffer.from([0x30, list.length]), list)
}

const FLAGS = [
  0x60088215, 0xe2088297, 0, 0x205, 0x202, 0x206, 0x1, 0x2080205, 0x80000201, 0x00000207, 0xa2088207,
]

function drawToken(draw: Draw): Buffer {
  const inner = draw.chance(0.8)
    ? negotiateToken(draw.pick(FLAGS))
    : Buffer.from(
        draw.pick([
          '',
          'junk',
          'NTLMSSP\0',
          'NTLMSSP\0\x01\0\0\0',
          'NTLMSSP\0\x03\0\0\0' + '\0'.repeat(60),
          'NTLMSSP\0\x09\0\0\0\0\0\0\0',
        ]),
        'latin1',
      )
  const kind = draw.int(6)
  const token =
    kind === 0
      ? inner
      : kind === 1
        ? responseToken(inner)
        : kind === 2
          ? initToken(inner, mechanisms(draw))
          : initToken(inner)
  return draw.chance(0.85) ? token : token.subarray(0, draw.int(token.length + 1))
}

export function drawSetup(draw: Draw): Act[] {
  const first = drawToken(draw)
  const [flags, securityMode] = [draw.pick([0, 0, 0, 1]), draw.pick([1, 1, 2, 0])]
  const fields = draw.chance(0.1) ? { sessionId: BigInt(draw.int(3)) } : {}
  const acts = [
    act(
      `setup ${first.toString('hex')} ${flags} ${securityMode} ${JSON.stringify(fields, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))}`,
      1,
      () => setupBody(first, flags, securityMode),
      fields,
    ),
  ]
  const credentials = drawCredentials(draw)
  const kind = draw.int(4)
  const cut = draw.int(100)
  if (kind === 0) return [...acts, ...login(credentials)]
  if (kind === 1) return acts
  const isRaw = draw.chance(0.4)
  const second = act(`answer ${JSON.stringify(credentials)} raw ${isRaw} cut ${cut}`, 1, ({ token }) => {
    if (token.length < 56 || token[8] !== 2)
      return setupBody(isRaw ? negotiateToken() : responseToken(negotiateToken()), flags, securityMode)
    const answer = authenticateToken(token, credentials)
    const whole = isRaw ? answer : responseToken(answer)
    return setupBody(
      cut < 15 ? whole.subarray(0, Math.floor((whole.length * cut) / 15)) : whole,
      flags,
      securityMode,
    )
  })
  return [...acts, second, ...(draw.chance(0.5) ? [connectTo('IPC$')] : [])]
}
