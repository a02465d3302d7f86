// A broker of MQTT 3.1.1 that takes what one publishes, as strictly as the standard has it: what is malformed ends the connection.
// It keeps what is retained, and publishes a will when a connection ends without DISCONNECT.
import { createServer, type AddressInfo } from 'node:net'
import { duplexPair, type Duplex } from 'node:stream'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { OutboundStream } from '@rookery/kernel/world.ts'
import { onTestFinished } from 'vitest'

export interface Published {
  readonly topic: string
  readonly payload: string
  readonly retain: boolean
}

export interface MqttBroker {
  readonly port: number
  /** All that was published, wills too, in its order. */
  readonly published: readonly Published[]
  /** Topic to what is retained there. */
  readonly retained: ReadonlyMap<string, string>
  /** Clients that are connected now, those that said goodbye, and what was malformed. */
  readonly clients: ReadonlySet<string>
  readonly goodbyes: readonly string[]
  readonly malformed: readonly string[]
  /** Resolves, with what `find` answers, once that is something. */
  until<T>(find: (broker: MqttBroker) => T | undefined): Promise<T>
  /** How it answers from now on: a CONNACK code, nothing at all, or a closed connection instead of a PUBACK. */
  behave(way: number | 'silent' | 'closes' | 'is a web server'): void
  /** Cuts every connection, as a restart does. */
  cut(): void
}

interface Client {
  id: string
  will: Published | undefined
}

export interface BrokerOptions {
  readonly tls?: TlsOptions
  readonly user?: string
  readonly password?: string
}

/** `serve` plays it on any stream. */
function mqttBrain(lets: 'any user' | Pick<BrokerOptions, 'user' | 'password'>) {
  const mayEnter = (user: string, password: string): boolean =>
    lets === 'any user' || (user === (lets.user ?? '') && password === (lets.password ?? ''))
  const published: Published[] = []
  const retained = new Map<string, string>()
  const clients = new Map<string, Duplex>()
  const goodbyes: string[] = []
  const malformed: string[] = []
  const streams = new Set<Duplex>()
  const { changed, until } = watching()
  let way: Parameters<MqttBroker['behave']>[0] = 0

  function take(publication: Published): void {
    published.push(publication)
    if (!publication.retain) return
    if (publication.payload === '') retained.delete(publication.topic)
    else retained.set(publication.topic, publication.payload)
  }

  function connect(stream: Duplex, client: Client, body: Buffer): void {
    const { id, will, user, password } = introductionIn(body)
    client.id = id
    if (way === 'silent') return
    const code = way === 0 && !mayEnter(user, password) ? 4 : way
    stream.write(Buffer.of(0x20, 2, 0, Number(code) || 0))
    if (Number(code) > 0) return void stream.end()
    client.will = will
    // 3.1.4: another client of this id is thrown out.
    clients.get(id)?.destroy()
    clients.set(id, stream)
  }

  function publish(stream: Duplex, flags: number, body: Buffer): void {
    if ((flags & 0x06) !== 0x02) throw new Error(`PUBLISH with flags ${flags}`)
    const read = reader(body)
    const topic = read.topic()
    const id = read.number()
    if (id === 0) throw new Error('number 0')
    if (way === 'closes') return void stream.end()
    take({ topic, payload: read.rest().toString(), retain: (flags & 0x01) !== 0 })
    stream.write(Buffer.of(0x40, 2, id >> 8, id & 0xff))
  }

  function handle(stream: Duplex, client: Client, first: number, body: Buffer): void {
    const type = first >> 4
    if (client.id === '' && type !== 1) throw new Error(`${type} before CONNECT`)
    if (type === 1) connect(stream, client, body)
    else if (type === 3) publish(stream, first & 0x0f, body)
    else if (first === 0xc0) stream.write(Buffer.of(0xd0, 0))
    else if (first === 0xe0) {
      client.will = undefined
      goodbyes.push(client.id)
      stream.end()
    } else throw new Error(`packet ${first}`)
  }

  function serve(stream: Duplex): void {
    const client: Client = { id: '', will: undefined }
    let waiting = Buffer.alloc(0)
    streams.add(stream)
    const over = (): void => {
      streams.delete(stream)
      if (clients.get(client.id) === stream) clients.delete(client.id)
      if (client.will) take(client.will)
      client.will = undefined
      changed()
    }
    stream.on('error', () => undefined).on('close', over)
    stream.on('data', (chunk: Buffer) => {
      if (way === 'is a web server') return void stream.end('HTTP/1.1 400 Bad Request\r\n\r\n')
      waiting = Buffer.concat([waiting, chunk])
      for (let packet = packetAt(waiting); packet; packet = packetAt(waiting)) {
        waiting = waiting.subarray(packet.length)
        try {
          handle(stream, client, packet.first, packet.body)
        } catch (error) {
          malformed.push((error as Error).message)
          stream.destroy()
        }
      }
      changed()
    })
  }

  const broker: Omit<MqttBroker, 'port'> = {
    published,
    retained,
    get clients() {
      return new Set(clients.keys())
    },
    goodbyes,
    malformed,
    until: (find) => until(() => find(broker as MqttBroker)),
    behave: (next) => void (way = next),
    cut: () => streams.forEach((stream) => stream.destroy()),
  }
  return { serve, broker }
}

function watching() {
  let watchers: (() => boolean)[] = []
  return {
    changed: (): void => void (watchers = watchers.filter((isDone) => !isDone())),
    until: <T>(find: () => T | undefined) =>
      new Promise<T>((resolve) => {
        const isDone = (): boolean => {
          const found = find()
          if (found !== undefined) resolve(found)
          return found !== undefined
        }
        if (!isDone()) watchers.push(isDone)
      }),
  }
}

/** On loopback, until the test ends. */
export async function openMqttBroker(options: BrokerOptions = {}): Promise<MqttBroker> {
  const { serve, broker } = mqttBrain(options)
  const server = options.tls ? createTlsServer(options.tls, serve) : createServer(serve)
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    broker.cut()
    server.close()
  })
  return Object.assign(broker, { port: (server.address() as AddressInfo).port })
}

/** A stream of the world behind whose every address such a broker is. */
export function mqttEverywhere() {
  const { serve, broker } = mqttBrain('any user')
  const open: OutboundStream['open'] = (_, { received, closed }) => {
    const [near, far] = duplexPair()
    serve(far)
    near
      .on('error', () => undefined)
      .on('data', received)
      .once('close', closed)
    return Promise.resolve({
      write: (bytes) => void near.write(bytes),
      end: (bytes) => void near.end(bytes),
      destroy: () => void near.destroy(),
    })
  }
  return { send: () => Promise.resolve(), open, broker }
}

/** The first packet, once it is whole (2.2). */
function packetAt(bytes: Buffer): { first: number; body: Buffer; length: number } | undefined {
  let size = 0
  for (let n = 0; n < 4; n++) {
    const byte = bytes[1 + n]
    if (byte === undefined) return undefined
    size += (byte & 0x7f) * 128 ** n
    if ((byte & 0x80) !== 0) continue
    const start = 2 + n
    if (bytes.length < start + size) return undefined
    return { first: bytes[0] ?? 0, body: bytes.subarray(start, start + size), length: start + size }
  }
  throw new Error('a length of more than four bytes')
}

/** The body of a CONNECT (3.1). */
function introductionIn(body: Buffer) {
  const read = reader(body)
  if (read.text() !== 'MQTT' || read.byte() !== 4) throw new Error('not MQTT 3.1.1')
  const flags = read.byte()
  const [hasWill, hasUser, hasPassword] = [flags & 0x04, flags & 0x80, flags & 0x40]
  if ((flags & 0x01) !== 0 || (hasPassword && !hasUser)) throw new Error(`flags ${flags}`)
  if (!hasWill && (flags & 0x38) !== 0) throw new Error('flags of a will that is none')
  read.number()
  const id = read.text()
  if (!/^[0-9A-Za-z]{1,23}$/.test(id)) throw new Error(`client id ${id}`)
  const will = hasWill
    ? { topic: read.topic(), payload: read.text(), retain: (flags & 0x20) !== 0 }
    : undefined
  const [user, password] = [hasUser ? read.text() : '', hasPassword ? read.text() : '']
  read.end()
  return { id, will, user, password }
}

function reader(bytes: Buffer) {
  let at = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('too short')
    return bytes.subarray(at, (at += length))
  }
  const number = (): number => take(2).readUInt16BE()
  const text = (): string => {
    const read = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(take(number()))
    if (read.includes('\0')) throw new Error('NUL')
    return read
  }
  return {
    byte: () => take(1).readUInt8(),
    number,
    text,
    /** 4.7.1: no wildcard in what is published to. */
    topic: () => {
      const topic = text()
      if (topic === '' || /[#+]/.test(topic)) throw new Error(`topic ${topic}`)
      return topic
    },
    rest: () => take(bytes.length - at),
    end: () => {
      if (at !== bytes.length) throw new Error('more than a packet holds')
    },
  }
}
