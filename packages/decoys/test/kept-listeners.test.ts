// What a decoy remembers of its visitors outlives a new bundle that changes nothing for it.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { defaultSettings } from './default-settings.ts'
import { lines } from './line-service.ts'
import { connectTo } from './tcp-client.ts'
import { openTestHost, portOf } from './test-host.ts'
import { descriptors } from '../src/descriptors.gen.ts'
import type { ServiceDescriptor } from '../src/settings/descriptor.ts'
import { instancesOf, portKeysOf, switchesOf } from '../src/settings/instances.ts'
import { memoriesOf } from '../src/session/memory.ts'
import { services } from '../src/services.gen.ts'
import { sessionRunner } from '../src/session/session-runner.ts'
import type { BirdSettings, Listener } from '../src/session/session.ts'

const REFUSED = 'Not allowed at this time'

const on = Object.fromEntries(descriptors.flatMap(switchesOf).map((key) => [key, true]))
const listenersOf = (changes: BirdSettings): Listener[] => {
  const settings = defaultSettings(descriptors, { 'device.name': 'Bird', ...on, ...changes })
  return Object.values(services).flatMap((service) => service.listeners(settings))
}
const names = [...new Set(listenersOf({}).map(({ instance }) => instance))]
const dependsOn = (instance: string, changes: BirdSettings): unknown[] =>
  listenersOf(changes)
    .filter((listener) => listener.instance === instance)
    .map((listener) => listener.dependsOn)

test.each(names)('%s stands through a rename of the Bird', (instance) => {
  expect(dependsOn(instance, {})).not.toContain(undefined)
  expect(dependsOn(instance, { 'device.name': 'Another', 'device.desc': 'elsewhere' })).toEqual(
    dependsOn(instance, {}),
  )
})

/** Another value of the same type. */
function another({ type, default: value, choices = [] }: ServiceDescriptor['settings'][string]): unknown {
  if (type === 'boolean') return !value
  if (type === 'choice') return choices.find((choice) => choice !== value)
  if (type === 'port' || type === 'integer') return Number(value) + 1
  if (type === 'text') return `${String(value)}x`
  return type === 'object' ? { 'X-Other': 'x' } : [{ name: 'other', type: 'directory' }]
}

/** A port of its own makes another listener anyway, and a service that is off has none. */
const matters = (key: string, descriptor: ServiceDescriptor): boolean =>
  ![...switchesOf(descriptor), ...portKeysOf(descriptor)].includes(key)

/** The instance whose setting it is; any of them where it is that of all. */
const instanceOf = (key: string, descriptor: ServiceDescriptor): string => {
  const instances = instancesOf(descriptor)
  return instances.find((name) => key.startsWith(`${name}.`)) ?? instances[0]!
}

const changesOf = descriptors.flatMap((descriptor: ServiceDescriptor) =>
  Object.entries(descriptor.settings).flatMap(([key, setting]) =>
    descriptor.transport && setting.noEffect === undefined && !setting.fixed && matters(key, descriptor)
      ? [[instanceOf(key, descriptor), key, another(setting)] as const]
      : [],
  ),
)

test.each(changesOf)('%s gives way when %s is %j', (instance, key, value) => {
  expect(dependsOn(instance, { [key]: value })).not.toEqual(dependsOn(instance, {}))
})

test.each(['smb.netbiosname', 'smb.workgroup'])(
  'what shows the names of the machine gives way when %s changes',
  (key) => {
    for (const instance of ['telnet', 'https', 'dbsrv_a', 'smb'])
      expect(dependsOn(instance, { [key]: 'OTHER' })).not.toEqual(dependsOn(instance, {}))
  },
)

test('a web server with an uploaded webroot gives way: another may lie there under the same settings', () => {
  const settings = { ...defaultSettings(descriptors, on), 'http.userwebroot_present': true }
  const folders = { webroot: import.meta.dirname + '/../src/services/http/skins', share: '' }
  const listeners = Object.values(services)
    .flatMap((service) => service.listeners(settings, folders))
    .filter(({ instance }) => ['http', 'https'].includes(instance))
  expect(listeners.map((listener) => listener.dependsOn)).toEqual([undefined, undefined])
})

/** One that nobody had a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('the keys of Redis outlive another port, also one that was in use for a while', async () => {
  const { host } = openTestHost({ portOffset: 0 })
  const inUse = createServer().listen(0, '127.0.0.1')
  onTestFinished(async () => {
    inUse.close()
    await host.close()
  })
  await once(inUse, 'listening')
  const free = await Promise.all([freePort(), freePort()])
  const ask = async (port: number, command: string, whole = /\r\n/): Promise<string> => {
    const client = connectTo(port)
    client.write(`${command}\r\n`)
    const answer = await client.until(whole)
    client.socket.destroy()
    return answer.trim()
  }
  const move = (port: number) =>
    host.apply(listenersOf({ 'redis.port': port }).filter(({ instance }) => instance === 'redis'))
  await move(free[0])
  await ask(free[0], 'SET seen before')
  await move(free[1])
  expect(await ask(free[1], 'STRLEN seen')).toBe(':6')
  expect(await ask(free[1], 'CONFIG GET port', /\r\n\d+\r\n$/)).toContain(`\r\n${free[1]}`)
  const taken = (inUse.address() as AddressInfo).port
  expect(await move(taken)).toMatchObject([{ instance: 'redis' }])
  await move(free[0])
  expect(await ask(free[0], 'STRLEN seen')).toBe(':6')
  await move(taken)
  await new Promise((resolve) => inUse.close(resolve))
  expect(await host.retry()).toEqual([])
  expect(await ask(taken, 'STRLEN seen')).toBe(':6')
})

test('a listener takes over what its predecessor remembers under other settings, and nothing of another service', async () => {
  const { host } = openTestHost()
  onTestFinished(() => host.close())
  const kinds = { pages: memoriesOf(() => ({ count: 0 })), coins: memoriesOf(() => ({ count: 100 })) }
  const counter = (instance: string, dependsOn: string, kind: keyof typeof kinds = 'pages'): Listener => {
    const memory = kinds[kind]()
    const step = () => ({ state: 0, send: `${dependsOn} ${(memory.value.count += 1)}\n` })
    const startSession = sessionRunner({ ...lines, open: step })
    return { instance, transport: 'tcp', port: 80, startSession, dependsOn, memory }
  }
  const meet = async (listener: Listener): Promise<string> => {
    await host.apply([listener])
    const client = connectTo(portOf(host, listener.instance))
    const text = await client.until(/\n/)
    client.socket.destroy()
    return text.trim()
  }
  expect(await meet(counter('web', 'old'))).toBe('old 1')
  expect(await meet(counter('web', 'new'))).toBe('new 2')
  expect(await meet(counter('other', 'other'))).toBe('other 1')
  expect(await meet(counter('other', 'third', 'coins'))).toBe('third 101')
})

test('a source that sshd 10.0 has penalised is refused behind a rename, too', async () => {
  const { host } = openTestHost()
  onTestFinished(() => host.close())
  const changes = { 'ssh.version': 'OpenSSH_10.0p2 Debian-7+deb13u4' }
  const ssh = (name: string) =>
    listenersOf({ ...changes, 'device.name': name }).filter(({ instance }) => instance === 'ssh')
  await host.apply(ssh('Bird'))
  /** The first line that a client sees which then leaves without a login. */
  const greeting = async (): Promise<string> => {
    const client = connectTo(portOf(host, 'ssh'))
    const text = await client.until(/\n/)
    client.socket.end()
    await client.closed
    return text.trim()
  }
  const greetings: string[] = []
  while (greetings.at(-1) !== REFUSED && greetings.length < 30) greetings.push(await greeting())
  expect(greetings.at(-1)).toBe(REFUSED)
  await host.apply(ssh('Renamed'))
  expect(await greeting()).toBe(REFUSED)
})
