// Our codec against dns-packet, and against bytes that nobody would send.
import { decode, encode, type Packet, type Question } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFrames, writeFrame } from './frames.ts'
import { HEADER_BYTES, readQuery, type DnsQuery } from './query.ts'
import { TYPE } from './record-types.ts'
import { MAX_UDP_BYTES, writeFailure, writeResponse } from './response.ts'
import { isServedDomain, placeOf, respond, type Zone } from './zone.ts'

const ZONE: Zone = {
  labels: ['t', 'example'],
  ipv4: [Uint8Array.of(192, 0, 2, 1)],
  ipv6: [Uint8Array.from(Buffer.from('20010db8000000000000000000000001', 'hex'))],
}

/** dns-packet's types leave a query for ANY out. */
type QueryType = Question['type'] | 'ANY'

const query = (name: string, type: QueryType = 'A', more: Packet = {}): Buffer =>
  encode({ type: 'query', id: 7, questions: [{ name, type: type as Question['type'] }], ...more })

const edns = (udpPayloadSize = 4_096, options: readonly object[] = []): Packet =>
  ({ additionals: [{ type: 'OPT', name: '.', udpPayloadSize, flags: 0, options }] }) as unknown as Packet

/** What the server answers, with the token's lookup left out. */
function answerTo(
  message: Buffer,
  zone = ZONE,
  transport: 'udp' | 'tcp' = 'udp',
  texts: readonly string[] = [],
): Buffer | undefined {
  const read = readQuery(message)
  if (read === undefined) return undefined
  if ('rcode' in read) return writeFailure(read)
  const place = placeOf(read.labels, zone)
  const zoneLabels = place.name === 'outside' ? 0 : zone.labels.length
  return writeResponse(read, respond(read, place, zone, { texts }), { zoneLabels, transport })
}

function ask(...question: Parameters<typeof query>) {
  const answer = decode(answerTo(query(...question)) ?? Buffer.alloc(0)) as ReturnType<typeof decode> & {
    rcode: string
  }
  const { rcode, answers = [], authorities = [], additionals = [], flag_aa, flag_tc } = answer
  return { rcode, answers, authorities, additionals, isAuthoritative: flag_aa, isTruncated: flag_tc }
}

const SOA = {
  name: 't.example',
  type: 'SOA',
  ttl: 5,
  data: { mname: 'ns1.t.example', rname: 'hostmaster.t.example', serial: 1, minimum: 5 },
}

describe('names of our zone', () => {
  it('every host has the addresses, for ten seconds', () => {
    for (const name of ['abc.t.example', 'x.y.abc.t.example']) {
      expect(ask(name)).toMatchObject({
        rcode: 'NOERROR',
        isAuthoritative: true,
        answers: [{ name, type: 'A', ttl: 10, data: '192.0.2.1' }],
        authorities: [],
      })
      expect(ask(name, 'AAAA').answers).toMatchObject([{ name, type: 'AAAA', ttl: 10, data: '2001:db8::1' }])
    }
  })

  it('a type that a name does not have is NODATA, with the SOA that says for how long', () => {
    for (const type of ['TXT', 'MX', 'SRV', 'CAA', 'NS', 'DS', 'SOA'] as const)
      expect(ask('abc.t.example', type)).toMatchObject({
        rcode: 'NOERROR',
        isAuthoritative: true,
        answers: [],
        authorities: [SOA],
      })
  })

  it('the name of an ACME challenge has its texts, and is a host like any other else', () => {
    const texts = ['x'.repeat(43), 'y'.repeat(43)]
    const textsOf = (name: string, type: QueryType = 'TXT') => {
      const { answers = [] } = decode(answerTo(query(name, type), ZONE, 'udp', texts) ?? Buffer.alloc(0))
      return answers.map((answer) => [answer.type, String('data' in answer ? answer.data : '')])
    }
    expect(textsOf('_ACME-challenge.t.example')).toEqual(texts.map((text) => ['TXT', text]))
    expect(textsOf('_acme-challenge.t.example', 'A')).toEqual([['A', '192.0.2.1']])
    for (const name of ['a._acme-challenge.t.example', '_acme-challenge.nx.t.example', 't.example'])
      expect(textsOf(name)).toEqual([])
    expect(ask('_acme-challenge.t.example', 'TXT')).toMatchObject({ answers: [], authorities: [SOA] })
  })

  it('the apex has a SOA, a name server with its addresses, and addresses, for ten minutes', () => {
    expect(ask('t.example', 'SOA').answers).toMatchObject([{ ...SOA, ttl: 600 }])
    expect(ask('t.example', 'NS')).toMatchObject({
      answers: [{ type: 'NS', ttl: 600, data: 'ns1.t.example' }],
      additionals: [
        { name: 'ns1.t.example', type: 'A', ttl: 600, data: '192.0.2.1' },
        { name: 'ns1.t.example', type: 'AAAA', ttl: 600 },
      ],
    })
    for (const name of ['t.example', 'ns1.t.example'])
      expect(ask(name).answers).toMatchObject([{ name, ttl: 600, data: '192.0.2.1' }])
  })

  it('below nx only leaves do not exist: a resolver may take that for all names below', () => {
    for (const name of ['nx.t.example', 'abc.nx.t.example'])
      expect(ask(name)).toMatchObject({ rcode: 'NOERROR', answers: [], authorities: [SOA] })
    for (const name of ['crl.abc.nx.t.example', 'a.b.abc.nx.t.example'])
      expect(ask(name)).toMatchObject({ rcode: 'NXDOMAIN', answers: [], authorities: [SOA] })
  })

  it('below nx of a domain of a token only leaves do not exist, whether the id is one or not', () => {
    const id = 'a1'.repeat(12) + 'z'
    for (const name of ['nx.files', `${id}.files`, `a.b.${id}.files`, 'a.b.nx.files'])
      expect(ask(`${name}.t.example`).answers, name).toHaveLength(1)
    for (const name of [`${id}.nx.files`, `${id}.nx.x.files`])
      expect(ask(`${name}.t.example`)).toMatchObject({ rcode: 'NOERROR', answers: [], authorities: [SOA] })
    for (const name of [`p.${id}.nx.files`, `a.b.${id}.nx.x.files`, `a.${id}.x.nx`])
      expect(ask(`${name}.t.example`)).toMatchObject({ rcode: 'NXDOMAIN', answers: [], authorities: [SOA] })
  })

  it('ANY gets a HINFO (RFC 8482)', () => {
    expect(ask('abc.t.example', 'ANY').answers).toMatchObject([
      { type: 'HINFO', data: { cpu: 'RFC8482', os: '' } },
    ])
  })

  it('the question comes back in the case in which it was asked', () => {
    const asked = query('aBc.T.eXample')
    const answer = answerTo(asked) ?? Buffer.alloc(0)
    expect(answer.subarray(HEADER_BYTES, asked.length)).toEqual(asked.subarray(HEADER_BYTES))
    expect(decode(answer).answers).toMatchObject([{ name: 'aBc.T.eXample' }])
  })
})

describe('the place of a name', () => {
  const [outer, inner] = ['a'.repeat(25), '1'.repeat(25)]
  const place = (name: string) => placeOf([...name.split('.'), 't', 'example'], ZONE)

  it('has the label next to the zone that has the form of an id, and what the client put in front of it', () => {
    const host = (id: string, labels: string[], isNx = false) => ({ name: 'host', host: id, labels, isNx })
    expect(place(inner)).toEqual(host(inner, []))
    expect(place(`x.y.${inner}`)).toEqual(host(inner, ['x', 'y']))
    expect(place(`x.${inner}.files`)).toEqual(host(inner, ['x']))
    expect(place(`x.${outer}.a.${inner}.a.b.c.d`)).toEqual(host(inner, ['x', outer, 'a']))
    expect(place(`p.${inner}.nx.a.b.c.d`)).toEqual(host(inner, ['p'], true))
    // None, or none near enough.
    for (const far of [
      `${inner}.a.b.c.d.e.f`,
      `${inner.replace('1', '-')}.files`,
      `${inner}1.files`,
      'x.files',
    ])
      expect(place(far)).toMatchObject({ host: far.split('.').at(-1), isNx: false })
    expect(place(`${inner}.x.nx`)).toEqual(host('x', [inner], true))
  })

  it('is found below the domains that are said to be served', () => {
    const zone = ['t', 'example']
    for (const served of ['t.example', 'files.t.example', 'a.b.c.d.t.example'])
      expect(isServedDomain(served, zone), served).toBe(true)
    for (const domain of [
      'example',
      'xt.example',
      'a.b.c.d.e.t.example',
      'nx.t.example',
      'nx.a.t.example',
      `a.${inner}.t.example`,
    ])
      expect(isServedDomain(domain, zone), domain).toBe(false)
  })
})

describe('what is not ours', () => {
  it('names outside the zone, other classes and transfers are refused', () => {
    for (const name of ['example.com', 'xt.example', 'example', 't.example.com'])
      expect(ask(name)).toMatchObject({ rcode: 'REFUSED', answers: [], isAuthoritative: false })
    expect(ask('t.example', 'AXFR').rcode).toBe('REFUSED')
    const chaos = query('version.bind', 'TXT')
    chaos.writeUInt16BE(3, chaos.length - 2)
    expect(decode(answerTo(chaos) ?? Buffer.alloc(0))).toMatchObject({ rcode: 'REFUSED' })
  })

  it('an answer and a fragment get nothing, another opcode NOTIMP, two questions and none FORMERR', () => {
    expect(answerTo(encode({ type: 'response', id: 1, questions: [] }))).toBeUndefined()
    expect(answerTo(query('a.t.example').subarray(0, HEADER_BYTES - 1))).toBeUndefined()
    const notify = query('t.example', 'SOA')
    notify.writeUInt16BE(4 << 11, 2)
    expect(answerTo(notify)?.readUInt16BE(2)).toBe(0x8000 | (4 << 11) | 4)
    const questions = [
      { name: 'a.t.example', type: 'A' },
      { name: 'b.t.example', type: 'A' },
    ] as const
    for (const asked of [questions, []])
      expect(answerTo(encode({ type: 'query', id: 7, questions: [...asked] }))?.readUInt16BE(2)).toBe(0x8001)
  })
})

describe('EDNS', () => {
  it('OPT is answered if it was asked, and says how much we send', () => {
    expect(ask('abc.t.example').additionals).toEqual([])
    expect(ask('abc.t.example', 'A', edns()).additionals).toMatchObject([
      { type: 'OPT', udpPayloadSize: MAX_UDP_BYTES },
    ])
  })

  it('a version that we do not know is BADVERS', () => {
    const asked = query('abc.t.example', 'A', edns())
    asked[asked.length - 5] = 1
    const answer = answerTo(asked) ?? Buffer.alloc(0)
    expect(answer.readUInt16BE(2) & 0xf).toBe(0)
    expect(answer[answer.length - 6]).toBe(1)
  })

  it('the network of the client is read', () => {
    const subnet = (ip: string, sourcePrefixLength: number): DnsQuery['edns'] => {
      const options = [{ code: 'CLIENT_SUBNET', ip, sourcePrefixLength, scopePrefixLength: 0 }]
      return (readQuery(query('abc.t.example', 'A', edns(1_232, options))) as DnsQuery).edns
    }
    expect(subnet('198.51.100.0', 24)?.clientSubnet).toBe('198.51.100.0/24')
    expect(subnet('2001:db8::', 56)?.clientSubnet).toBe('2001:db8:0:0:0:0:0:0/56')
    expect(subnet('0.0.0.0', 0)?.clientSubnet).toBeUndefined()
  })
})

describe('sizes', () => {
  const many: Zone = { ...ZONE, ipv4: Array.from({ length: 8 }, (_, n) => Uint8Array.of(192, 0, 2, n)) }

  it('a UDP answer that is more than four times the query says TC and has no records; TCP has them all', () => {
    const asked = query('a.t.example')
    const udp = decode(answerTo(asked, many) ?? Buffer.alloc(0))
    expect([udp.flag_tc, udp.answers]).toEqual([true, []])
    const tcp = decode(answerTo(asked, many, 'tcp') ?? Buffer.alloc(0))
    expect([tcp.flag_tc, tcp.answers?.length]).toEqual([false, 8])
  })

  it('whatever arrives, the server does not throw, and answers what dns-packet reads, within four times the bytes', () => {
    const name = fc.oneof(
      fc.constantFrom('t.example', 'abc.t.example', 'crl.abc.nx.t.example', 'nx.t.example', 'other.example'),
      fc
        .array(fc.stringMatching(/^[a-zA-Z0-9_-]{1,63}$/), { maxLength: 3 })
        .map((it) => [...it, 't.example'].join('.')),
    )
    const type = fc.constantFrom<QueryType>('A', 'AAAA', 'NS', 'SOA', 'TXT', 'ANY', 'MX', 'AXFR', 'DS')
    const message = fc.record({
      name,
      type,
      hasEdns: fc.boolean(),
      changes: fc.array(fc.record({ at: fc.nat({ max: 300 }), to: fc.nat({ max: 255 }) }), { maxLength: 6 }),
      cut: fc.option(fc.nat({ max: 300 })),
    })
    const mutated = message.map(({ name, type, hasEdns, changes, cut }) => {
      const bytes = query(name, type, hasEdns ? edns() : {})
      for (const { at, to } of changes) bytes[at % bytes.length] = to
      return cut === null ? bytes : bytes.subarray(0, cut)
    })
    const anything = fc.oneof(
      mutated,
      fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
    )
    fc.assert(
      fc.property(anything, fc.constantFrom(ZONE, many), (bytes, zone) => {
        const answer = answerTo(bytes, zone)
        if (answer === undefined) return
        expect(answer.length).toBeLessThanOrEqual(Math.min(4 * bytes.length, MAX_UDP_BYTES))
        expect(answer.readUInt16BE(0)).toBe(bytes.readUInt16BE(0))
        const counts = [4, 6, 8, 10].map((at) => answer.readUInt16BE(at))
        if (counts.some((count) => count > 0)) expect(() => decode(answer)).not.toThrow()
      }),
      { numRuns: 5_000 },
    )
  })
})

it('octets that are not printable are escaped, so that a name is one text', () => {
  const asked = query('abc.t.example')
  asked[HEADER_BYTES + 1] = 0
  asked[HEADER_BYTES + 2] = 0x2e
  expect((readQuery(asked) as DnsQuery).labels).toEqual(['\\000\\.c', 't', 'example'])
  expect(TYPE.A).toBe((readQuery(asked) as DnsQuery).type)
})

it('frames of TCP come in any pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 })), fc.nat(), (sent, seed) => {
      const stream = Buffer.concat(sent.map((bytes) => writeFrame(Buffer.from(bytes))))
      const cut = seed % (stream.length + 1)
      const first = readFrames(stream.subarray(0, cut))
      const second = readFrames(Buffer.concat([first.rest, stream.subarray(cut)]))
      expect([...first.messages, ...second.messages].map((it) => Uint8Array.from(it))).toEqual(sent)
      expect(second.rest).toHaveLength(0)
    }),
  )
  expect(readFrames(Buffer.from([0xff, 0xff, 1])).isBroken).toBe(true)
})
