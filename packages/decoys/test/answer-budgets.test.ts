// Over every UDP port of every service: what it answers is never longer than its descriptor says.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sized } from '@rookery/kernel/test/size.ts'
import { descriptors } from '../src/descriptors.gen.ts'
import { services } from '../src/services.gen.ts'
import { serviceOfInstance, switchesOf } from '../src/settings/instances.ts'
import type { Listener } from '../src/session/session.ts'
import { defaultSettings } from './default-settings.ts'
import { questionsByUdp } from './first-contact.ts'
import { sentBytes } from './sent-bytes.ts'
import { drawFrom } from './draw.ts'
import { testContext } from './session-context.ts'

const DATAGRAMS = sized(2_000, 200)
const MAX_BYTES = 1_472

const seed = process.env['ROOKERY_SEED'] ?? randomBytes(6).toString('hex')
const from = drawFrom(seed)

/** On, and each text as long as it may be, so that names fill the answers. */
const settings = defaultSettings(descriptors, {
  ...Object.fromEntries(descriptors.flatMap(switchesOf).map((key) => [key, true])),
  'smb.netbiosname': 'N'.repeat(15),
  'smb.workgroup': 'W'.repeat(15),
  'dbsrv_a.port': 65_535,
})

const ports = Object.values(services)
  .flatMap((service) => service.listeners(settings))
  .filter(({ transport }) => transport === 'udp')
  .map((listener) => [`${listener.instance} at ${listener.port}`, listener] as const)

/** What the descriptor says about this port. */
function declared({ instance, port }: Listener): number | undefined {
  const descriptor = serviceOfInstance(descriptors, instance)
  const besides = descriptor?.portsBesides?.find((it) => it.transport === 'udp' && it.port === port)
  return (besides ?? descriptor)?.answerBytes
}

function answerTo(listener: Listener, datagram: Buffer): number {
  const session = listener.startSession(testContext())
  const replies = [session.open(), ...session.receive(datagram)]
  while (session.hasMore) replies.push(...session.resume())
  return replies.reduce((sum, reply) => sum + sentBytes(reply).length, 0)
}

const anyBytes = (most: number): Buffer => Buffer.from(from.bytes(from.int(most + 1)), 'latin1')

/** A question of its usual client with a few changes, or bytes at random, most of them few. */
function randomDatagram(instance: string): Buffer {
  const questions = questionsByUdp(instance)
  if (questions.length === 0 || from.chance(0.3)) return anyBytes(from.pick([1, 2, 16, 64, MAX_BYTES]))
  const bytes = Buffer.concat([from.pick(questions), anyBytes(from.pick([0, 0, 1, 34]))])
  for (const at of from.many(0, 2, () => from.int(bytes.length))) bytes[at] = from.int(256)
  return bytes
}

test.each(ports)('%s hands the host the budget that its descriptor declares', (_, listener) => {
  expect(listener.answerBytes).toBe(declared(listener))
})

/** Takes datagrams and answers none, as real ones do. */
const isSilent = ({ port }: Listener): boolean => port === 138

test.each(ports.filter(([, listener]) => !isSilent(listener)))(
  '%s answers its usual questions whole',
  (_, listener) => {
    const questions = questionsByUdp(listener.instance)
    expect(questions.length).toBeGreaterThan(0)
    for (const question of questions) expect(answerTo(listener, question)).toBeGreaterThan(0)
  },
)

test.each(ports)(`%s answers no datagram beyond its budget (ROOKERY_SEED=${seed})`, (_, listener) => {
  for (let asked = 0; asked < DATAGRAMS; asked += 1) {
    const datagram = randomDatagram(listener.instance)
    const most = Math.max(datagram.length, listener.answerBytes ?? 0)
    expect(answerTo(listener, datagram), datagram.toString('hex')).toBeLessThanOrEqual(most)
  }
})
