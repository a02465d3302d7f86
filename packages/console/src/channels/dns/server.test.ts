// The token DNS server as resolvers see it: Node's own (c-ares), and raw bytes.
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { encode } from 'dns-packet'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { hostPort } from '../../addresses/host-port.ts'

const addressOf = ({ console }: TestConsole): string => console.dnsAddress ?? ''

function resolverAt(rookery: TestConsole, localAddress = '127.0.0.1'): Resolver {
  const resolver = new Resolver({ timeout: 60_000, tries: 1 })
  resolver.setServers([addressOf(rookery)])
  resolver.setLocalAddress(localAddress)
  return resolver
}

async function plant({ api }: TestConsole, kind = 'dns'): Promise<string> {
  const { decoytoken } = await api.tokens.create({ kind, memo: 'x', flock_id: 'flock:default' })
  return decoytoken.hostname
}

const incidents = async ({ api }: TestConsole) =>
  (await api.incidentQueries.all()).incidents.map(({ description }) => description)

/** Sends bytes by UDP and answers what comes back. */
async function exchange(rookery: TestConsole, message: Buffer): Promise<Buffer> {
  const { host, port } = hostPort(addressOf(rookery))
  const socket = createSocket('udp4')
  const answered = new Promise<Buffer>((resolve) => socket.once('message', resolve))
  socket.send(message, port, host)
  return answered.finally(() => socket.close())
}

const HTTPS = 65

/** A query for a type that dns-packet has no name for. */
function questionOf(name: string, type: number): Buffer {
  const question = encode({ type: 'query', id: 9, questions: [{ name, type: 'A' }] })
  question.writeUInt16BE(type, question.length - 4)
  return question
}

describe.each(engines)('a look-up (%s)', (engine) => {
  it('of a token fires, and shows what was asked; the name resolves', async () => {
    const rookery = await openTestConsole({ engine })
    const hostname = await plant(rookery)
    const asked = `OJXW65CAMRRDC.G42.${hostname}`
    expect(await resolverAt(rookery).resolve4(asked)).toEqual(['127.0.0.1'])
    const [incident, ...others] = await incidents(rookery)
    expect([incident?.logtype, others]).toEqual(['16000', []])
    expect(incident?.events).toEqual([
      expect.objectContaining({
        decoytoken: hostname.split('.')[0],
        type: 'dns',
        event_name: 'DNS A',
        dst_port: 53,
        src_host: '127.0.0.1',
        src_host_is_resolver: true,
        qtype: 'A',
        qname: asked.toLowerCase(),
        data: 'root@db1',
        headers: {},
      }),
    ])
  })

  it('is one event with its shorter names and its other types; another resolver is another', async () => {
    const rookery = await openTestConsole({ engine })
    const hostname = await plant(rookery)
    const resolver = resolverAt(rookery)
    await resolver.resolve4(hostname)
    await Promise.allSettled([resolver.resolve6(hostname), resolver.resolveTxt(hostname)])
    await exchange(rookery, questionOf(hostname, HTTPS))
    // The longest name is shown, and none that is another.
    for (const labels of ['b', 'a.b', 'b', 'c', 'a.c']) await resolver.resolve4(`${labels}.${hostname}`)
    await resolverAt(rookery, '127.0.0.2').resolve4(hostname)
    await resolverAt(rookery, '127.0.1.1').resolve4(hostname)
    const found = (await incidents(rookery)).map(({ src_host, events_count, events }) => [
      ...[src_host, events_count],
      events?.[0]?.['qname'],
    ])
    expect(found.sort()).toEqual([
      ['127.0.0.1', '1', `a.b.${hostname}`],
      ['127.0.1.1', '1', hostname],
    ])
  })
})

describe.each(engines)('a resolver that asks for the shorter names first (%s)', (engine) => {
  it('makes one event, which has the data once the name is whole', async () => {
    const rookery = await openTestConsole({ engine })
    const hostname = await plant(rookery)
    const resolver = resolverAt(rookery)
    await resolver.resolve4(hostname)
    const [before] = (await rookery.api.incidentQueries.all()).incidents
    for (const labels of ['g42', 'mrrdc.g42', 'ojxw65ca.mrrdc.g42'])
      await resolver.resolve4(`${labels}.${hostname}`)
    const [after, ...others] = (await rookery.api.incidentQueries.all()).incidents
    expect([after?.description.events_count, others]).toEqual(['1', []])
    expect(after?.description.events).toEqual([
      expect.objectContaining({
        data: 'root@db1',
        qname: `ojxw65ca.mrrdc.g42.${hostname}`,
        event_name: 'DNS A',
        src_host_is_resolver: true,
      }),
    ])
    expect(after?.updated_id).toBeGreaterThan(before?.updated_id ?? Infinity)
    const { token } = await rookery.api.tokens.fetch({ decoytoken: hostname.split('.')[0] ?? '' })
    expect(token.triggered_count).toBe(1)
  })
})

describe('the token DNS server', () => {
  it('answers a name without a token alike, and records nothing', async () => {
    const rookery = await openTestConsole()
    const hostname = await plant(rookery)
    const resolver = resolverAt(rookery)
    const unknown = hostname.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))
    const tooFar = `${hostname.split('.')[0]}.a.b.c.d.e.f.tokens.localhost`
    for (const name of [unknown, unknown.replace('.', '.x.'), tooFar, 'tokens.localhost'])
      expect(await resolver.resolve4(name)).toEqual(['127.0.0.1'])
    await expect(resolver.resolveNs(hostname)).rejects.toMatchObject({ code: 'ENODATA' })
    await expect(resolver.resolve4('example.com')).rejects.toMatchObject({ code: 'EREFUSED' })
    expect(await incidents(rookery)).toEqual([])
  })

  it('fires by what clients ask for, and not by what resolvers ask on their own', async () => {
    const rookery = await openTestConsole()
    const clients = { A: 1, AAAA: 28, ANY: 255, HTTPS, MX: 15, SRV: 33, TXT: 16 }
    const resolvers = { NS: 2, CNAME: 5, SOA: 6, DS: 43, DNSKEY: 48, AXFR: 252 }
    for (const type of Object.values({ ...clients, ...resolvers }))
      await exchange(rookery, questionOf(await plant(rookery), type))
    const asked = (await incidents(rookery)).map(({ events }) => events?.[0]?.['qtype'])
    expect(asked.sort()).toEqual(Object.keys(clients))
  })

  it('fires for a token of any kind, and where names do not exist', async () => {
    const rookery = await openTestConsole()
    const web = await plant(rookery, 'http')
    const name = `crl.${(await plant(rookery)).replace('.', '.nx.')}`
    await resolverAt(rookery).resolve4(web)
    await expect(resolverAt(rookery).resolve4(name)).rejects.toMatchObject({ code: 'ENOTFOUND' })
    expect((await incidents(rookery)).map(({ logtype }) => logtype).sort()).toEqual(['16000', '17000'])
  })

  it('fires below a domain of the token that lies in the zone', async () => {
    const rookery = await openTestConsole()
    const plantIn = async (kind: string, custom_domain: string) =>
      (await rookery.api.tokens.create({ kind, memo: 'x', custom_domain })).decoytoken
    const { hostname } = await plantIn('dns', 'files.tokens.localhost')
    const { decoytoken } = await plantIn('pdf-reader', 'a.b.c.d.tokens.localhost')
    expect(await resolverAt(rookery).resolve4(`x.${hostname}`)).toEqual(['127.0.0.1'])
    const nx = `p.${decoytoken}.nx.a.b.c.d.tokens.localhost`
    await expect(resolverAt(rookery).resolve4(nx)).rejects.toMatchObject({ code: 'ENOTFOUND' })
    const names = (await incidents(rookery)).map(({ events }) => events?.[0]?.['qname'])
    expect(names.sort()).toEqual([nx, `x.${hostname}`])
  })

  it('sends a network that asks too often to TCP, where its queries fire', async () => {
    const rookery = await openTestConsole({ env: { ROOKERY_DNS_QUERIES_PER_SECOND: '1' } })
    const hostname = await plant(rookery)
    const names = ['a.tokens.localhost', 'b.tokens.localhost', hostname]
    const question = encode({ type: 'query', id: 9, questions: [{ name: hostname, type: 'A' }] })
    for (let answer = question; (answer.readUInt16BE(2) & 0x200) === 0;)
      answer = await exchange(rookery, question)
    // c-ares asks again by TCP where an answer says TC.
    for (const name of names) expect(await resolverAt(rookery).resolve4(name)).toEqual(['127.0.0.1'])
    expect((await incidents(rookery)).map((it) => it.events_count)).toEqual(['1'])
  })

  it('closes a TCP connection whose frame is longer than any query', async () => {
    const rookery = await openTestConsole()
    const { host, port } = hostPort(addressOf(rookery))
    const socket = connect(port, host)
    socket.end(Buffer.from([0xff, 0xff, 0]))
    await new Promise((resolve) => socket.once('close', resolve))
    expect(await resolverAt(rookery).resolve4('a.tokens.localhost')).toEqual(['127.0.0.1'])
  })

  it('resolves names to the addresses of its option', async () => {
    const rookery = await openTestConsole({
      env: { ROOKERY_DNS_ADDRESSES: '192.0.2.9, 2001:db8::9', ROOKERY_TOKENS_DOMAIN: 'T.example' },
    })
    expect(await resolverAt(rookery).resolve4('x.t.example')).toEqual(['192.0.2.9'])
    expect(await resolverAt(rookery).resolve6('x.t.example')).toEqual(['2001:db8::9'])
  })

  it('does not start where its address is taken', async () => {
    const rookery = await openTestConsole()
    await expect(openTestConsole({ env: { ROOKERY_DNS_LISTEN: addressOf(rookery) } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    })
  })
})
