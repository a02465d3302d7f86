// A decoy service is a plug-in: a folder is all that a new one needs, also one with several transports and numbered instances.
// Tried in a copy of the packages: its settings, their schema, clashes, a Bird, its events, the greeting and the reference.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from './clone.mjs'
import { generate } from './generate.ts'
import { scratch } from './scratch.ts'

const DESCRIPTOR = `
import { describeService } from '../../settings/descriptor.ts'
import { settingsOfEach } from '../../settings/instances.ts'

const numbered = { service: 'pager', instances: 3 } as const

export const descriptor = describeService({
  ...numbered,
  title: 'Pager',
  transport: 'tcp',
  isOnBoth: true,
  answerBytes: 64,
  example: 'nc {host} {port}',
  scanLine: '{port}/tcp open pager',
  settings: {
    'pager.enabled': { type: 'boolean', default: false, title: 'Pagers answer' },
    ...settingsOfEach(numbered, (number) => ({
      enabled: { type: 'boolean', default: number === 1, title: 'This pager answers' },
      port: { type: 'port', default: 7700 + number, title: 'Port' },
      beeps: { type: 'integer', default: 2, minimum: 1, maximum: 9, title: 'How often it beeps' },
    })),
  },
  logtypes: [
    {
      logtype: '29001',
      summary: 'Pager Called',
      slug: 'pager',
      keys: ['TEXT'],
      level: 'tried',
      evidence: ['TEXT'],
      meaning: 'Somebody called the pager.',
      next: ['Find out who.'],
    },
  ],
})
`

const SERVICE = `
import { instancesOf, transportsOf } from '../../settings/instances.ts'
import { sessionRunner } from '../../session/session-runner.ts'
import type { Service } from '../../session/session.ts'
import { descriptor } from './descriptor.ts'

const pager = (beeps: number) =>
  sessionRunner<undefined, string>({
    limits: { frameBytes: 100, idleMs: 60_000 },
    decode: (bytes) => (bytes.length === 0 ? undefined : { frame: bytes.toString('latin1'), length: bytes.length }),
    open: () => ({ state: undefined }),
    step: (state, text) => ({
      state,
      events: [{ logtype: '29001', fields: { TEXT: text } }],
      send: 'beep '.repeat(beeps).trim(),
    }),
  })

const service: Service = {
  listeners(settings) {
    if (settings['pager.enabled'] !== true) return []
    return instancesOf(descriptor)
      .filter((instance) => settings[instance + '.enabled'] === true)
      .flatMap((instance) => {
        const [port, beeps] = [Number(settings[instance + '.port']), Number(settings[instance + '.beeps'])]
        const startSession = pager(beeps)
        return transportsOf(descriptor).map((transport) => ({
          instance,
          transport,
          port,
          startSession,
          dependsOn: String(beeps),
          ...(transport === 'udp' && { answerBytes: descriptor.answerBytes }),
        }))
      })
  },
}

export default service
`

const SCRIPT = `
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { startBird } from './packages/bird/src/start.ts'
import { testConsole } from './packages/bird/test/test-console.ts'
import { birdMessage } from './packages/cli/src/start-message.ts'
import { decoyColumns } from './packages/console/src/channels/link/decoy-columns.ts'
import { settingsSchema } from './packages/console/src/features/configuration/schema.ts'
import { withPersonality } from './packages/console/src/features/configuration/personalities.ts'
import { checkBirdEvent } from './packages/console/src/flows/ingest/birds/check-event.ts'
import { wholeSettings } from './packages/console/src/stores/birds/settings.ts'
import { descriptors } from './packages/decoys/src/descriptors.gen.ts'
import { personalitySettings } from './packages/decoys/src/settings/personalities.ts'
import { checkSettings } from './packages/decoys/src/settings/settings.ts'
import { decoysPage } from './tools/reference/descriptors.ts'

const all = { 'pager.enabled': true, 'pager_2.enabled': true, 'pager_3.enabled': true }
const settings = wholeSettings('', { 'device.name': 'Bird', ...all })
const clash = (changes) => checkSettings(descriptors, { ...settings, ...changes })
const schema = settingsSchema('')
const event = (instance) => {
  const touch = { logtype: '29001', instance, srcHost: '192.0.2.7', dstHost: '192.0.2.1', at: 1, fields: {} }
  return checkBirdEvent(touch, 0, 1).refused ?? 'taken'
}
const personality = personalitySettings({ services: ['pager'], settings: { 'pager_2.enabled': true, 'pager_2.port': 7799 } })
const configured = withPersonality({ version: '', settings: JSON.stringify(settings) }, 'pagers', personality)

const console_ = await testConsole()
console_.isCommissioned = true
// Two instances on one port: the third of them cannot listen there.
console_.offer({ ...settings, 'pager_1.beeps': 3, 'pager_3.port': 7701 })
const bird = await startBird({
  consoleUrl: console_.url,
  dataDir: mkdtempSync(join(import.meta.dirname, 'bird-')),
  bind: '127.0.0.1',
  portOffset: 'any',
  log: () => undefined,
})
const { serviceCount, notStanding } = await console_.frame('SETTINGS_APPLIED')
const state = bird.state()
const boundPort = (instance, transport) =>
  state.listening.find((it) => it.instance === instance && it.transport === transport).boundPort
const byTcp = connect(boundPort('pager_1', 'tcp'), '127.0.0.1').end('tcp')
const [tcpAnswer] = await once(byTcp, 'data')
const byUdp = createSocket('udp4')
byUdp.send('udp', boundPort('pager_2', 'udp'), '127.0.0.1')
const [udpAnswer] = await once(byUdp, 'message')
await console_.until(() => console_.events.filter(({ logtype }) => logtype === '29001').length === 2)
await bird.stop()
await console_.stop()
byUdp.close()

console.log(JSON.stringify({
  clashes: [
    clash({}),
    clash({ 'pager_3.port': 7701 }),
    clash({ 'pager_3.port': 7701, 'pager_3.enabled': false }),
    clash({ 'pager_2.port': 6379, 'redis.enabled': true }),
    clash({ 'pager_2.port': 1434, 'dbsrv_a.enabled': true }),
    clash({ 'pager_2.beeps': 10 }),
    clash({ 'pager_4.port': 1 }),
  ],
  schema: [schema['pager_3.beeps'], schema['pager_3.port']].map(({ type, minimum, maximum, default: value, service }) => ({ type, minimum, maximum, value, service })),
  events: ['pager_1', 'pager_3', 'pager_4', 'pager'].map(event),
  personality: ['pager.enabled', 'pager_1.enabled', 'pager_2.enabled', 'pager_3.enabled', 'pager_2.port'].map((key) => configured[key]),
  applied: { serviceCount, notStanding },
  column: JSON.parse(decoyColumns({ serviceCount, notStanding }, true).not_standing),
  answers: [String(tcpAnswer), String(udpAnswer)],
  reported: console_.frames
    .flatMap(({ kind, body }) => (kind === 'EVENT_BATCH' ? body.events : []))
    .filter(({ logtype }) => logtype === '29001')
    .map(({ instance, dstPort, fields }) => [instance, dstPort, fields.TEXT]),
  greeting: birdMessage(state, '127.0.0.1', 'http://console', 'none').split('\\n').filter((line) => line.includes('pager')).map((line) => line.trim().replace(/\\s+/g, ' ').replace(/ \\d+(?!\\.)\\b/g, ' N').replace('port N', 'port 7701')),
  reference: decoysPage().text.split('\\n').filter((line) => line.includes('pager') || line.includes('Each of them listens')),
}))
process.exit()
`

let clone = ''
const put = (path: string, text: string): void => {
  mkdirSync(join(clone, dirname(path)), { recursive: true })
  writeFileSync(join(clone, path), text)
}

beforeAll(() => {
  clone = mkdtempSync(join(scratch(), 'rookery-decoy-'))
  for (const path of ['packages', 'tools', 'package.json'])
    cpSync(join(root, path), join(clone, path), {
      recursive: true,
      filter: (from) => !/node_modules|\.test\.ts$/.test(from),
    })
  const modules = join(root, 'node_modules')
  mkdirSync(join(clone, 'node_modules/@rookery'), { recursive: true })
  for (const name of readdirSync(modules).filter((it) => it !== '@rookery'))
    symlinkSync(join(modules, name), join(clone, 'node_modules', name))
  for (const name of readdirSync(join(clone, 'packages')))
    symlinkSync(join(clone, 'packages', name), join(clone, 'node_modules/@rookery', name))
  put('packages/decoys/src/services/pager/descriptor.ts', DESCRIPTOR)
  put('packages/decoys/src/services/pager/service.ts', SERVICE)
  put('script.ts', SCRIPT)
  generate(clone)
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

let said: Readonly<Record<string, unknown>> = {}
beforeAll(() => {
  const args = ['--disable-warning=ExperimentalWarning', join(clone, 'script.ts')]
  said = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as typeof said
})

const taken = (port: number, by: string): string =>
  `port ${port} is also taken by ${by}; give each a port of its own`

it('two instances, or an instance and another service by either transport, clash on one port', () => {
  expect(said['clashes']).toEqual([
    {},
    { 'pager_1.port': taken(7701, 'pager_3.port'), 'pager_3.port': taken(7701, 'pager_1.port') },
    {},
    { 'pager_2.port': taken(6379, 'redis.port'), 'redis.port': taken(6379, 'pager_2.port') },
    { 'pager_2.port': taken(1434, 'dbsrv_a.enabled'), 'dbsrv_a.enabled': taken(1434, 'pager_2.port') },
    { 'pager_2.beeps': 'must be a whole number from 1 to 9, not 10' },
    { 'pager_4.port': 'is no setting' },
  ])
})

it('the schema and a personality have the settings of each instance', () => {
  const integer = { type: 'integer', minimum: 1, service: 'pager' }
  expect(said['schema']).toEqual([
    { ...integer, maximum: 9, value: 2 },
    { ...integer, maximum: 65_535, value: 7703 },
  ])
  expect(said['personality']).toEqual([true, true, true, false, 7799])
})

it('a Bird answers by each transport of each instance, counts them, and names one that cannot listen', () => {
  expect(said['answers']).toEqual(['beep beep beep', 'beep beep'])
  const reasons = ['port 7701', 'port 7701 (UDP)'].map((port) => `${port} is given to pager_1 as well`)
  expect(said['applied']).toEqual({
    serviceCount: 2,
    notStanding: reasons.map((reason) => ({ instance: 'pager_3', reason })),
  })
  expect(said['column']).toEqual({ pager_3: reasons.join('; ') })
  expect(said['greeting']).toEqual([
    'pager_1 N nc 127.0.0.1 N',
    'pager_2 N nc 127.0.0.1 N',
    ...reasons.map((reason) => `pager_3 does not listen: ${reason}`),
  ])
})

it('events name the instance that was met and its port, and the console takes them of no other name', () => {
  expect(said['reported']).toEqual([
    ['pager_1', 7701, 'tcp'],
    ['pager_2', 7702, 'udp'],
  ])
  expect(said['events']).toEqual(['taken', 'taken', 'instance', 'instance'])
})

it('the reference shows instances and transports, and a setting that all of them have in one row', () => {
  expect(said['reference']).toEqual([
    '## Pager (`pager`)',
    '7701/tcp open pager',
    'It has 3 instances, `pager_1` to `pager_3`, each with settings and a port of its own; events name the one that was met. `pager.enabled` switches them all.',
    'Each of them listens by TCP and by UDP.',
    '| `pager.enabled` | true or false | `false` | Pagers answer |',
    '| `pager_1.enabled`, `pager_2.enabled`, `pager_3.enabled` | true or false | `true`, `false`, `false` | This pager answers |',
    '| `pager_1.port`, `pager_2.port`, `pager_3.port` | port | `7701`, `7702`, `7703` | Port |',
    '| `pager_1.beeps`, `pager_2.beeps`, `pager_3.beeps` | integer | `2` | How often it beeps; at least 1; at most 9 |',
    '| 29001 | Somebody called the pager. | Find out who. |',
  ])
})
