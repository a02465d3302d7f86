// A session at a broker of MQTT, over a connection of the world's: what is published counts once the broker has acknowledged it.
import { Fault } from '@rookery/kernel/fault.ts'
import type { StreamConnection, World } from '@rookery/kernel/world.ts'
import {
  connectPacket,
  DISCONNECT,
  PINGREQ,
  publishPacket,
  readAnswers,
  type Answer,
  type Introduction,
  type Publication,
} from './mqtt-packets.ts'
import type { Target } from './sender.ts'

export interface MqttSession {
  readonly isOpen: () => boolean
  /** Resolves once the broker has acknowledged each. */
  publish(publications: readonly Publication[]): Promise<void>
  /** Resolves once the broker has answered. */
  ping(): Promise<void>
  /** Leaves with a word: the broker drops the will. */
  end(): void
}

interface Way {
  readonly world: Pick<World, 'clock' | 'outboundStream'>
  readonly timeoutMs: number
}

/** 3.1.2.10: after one and a half times of it, a broker that hears nothing counts the client as gone. */
export const KEEP_ALIVE_S = 60
/** Publications on their way at once; the services of clouds take about a hundred. */
const IN_FLIGHT = 20
const MAX_IDS = 65_535
const PORTS = { 'mqtt:': 1883, 'mqtts:': 8883 } as const

/** Its address, as `mqtt://host:port` or `mqtts://host:port`; undefined for another scheme. */
export function brokerAt(url: URL): { isTls: boolean; port: number } | undefined {
  const usual = PORTS[url.protocol as keyof typeof PORTS] as number | undefined
  return usual === undefined
    ? undefined
    : { isTls: url.protocol === 'mqtts:', port: Number(url.port || usual) }
}

/** Rejects with what to do where the broker cannot be reached, or does not let the client in. */
export async function openMqttSession(
  { world, timeoutMs }: Way,
  { url, secret, settings }: Pick<Target, 'url' | 'secret' | 'settings'>,
  { clientId, will }: Pick<Introduction, 'clientId' | 'will'>,
): Promise<MqttSession> {
  const at = new URL(url)
  const { isTls, port } = brokerAt(at) ?? { isTls: true, port: PORTS['mqtts:'] }
  let destroy = (): void => undefined
  let rest = Buffer.alloc(0)
  let lastId = 0
  let lost: Fault | undefined
  let whenClosed = UNANSWERED
  const waiting = new Map<string, PromiseWithResolvers<Answer>>()

  function lose(reason: string): void {
    lost ??= new Fault('unavailable', reason)
    for (const { reject } of waiting.values()) reject(lost)
    waiting.clear()
  }
  function breakOff(reason: string): void {
    lose(reason)
    destroy()
  }
  function received(bytes: Uint8Array): void {
    const read = readAnswers(Buffer.concat([rest, bytes]))
    if (!read) return breakOff(NO_BROKER)
    rest = Buffer.from(read.rest)
    for (const answer of read.answers) {
      const name = nameOf(answer)
      waiting.get(name)?.resolve(answer)
      waiting.delete(name)
    }
  }
  const connection: StreamConnection = await world.outboundStream.open(
    {
      protocol: isTls ? 'tls' : 'tcp',
      host: at.hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      ca: '',
      cert: '',
      key: '',
      timeoutMs,
    },
    { received, closed: () => lose(whenClosed) },
  )
  destroy = () => connection.destroy()

  /** Sends, and waits for each of these answers. */
  async function ask(bytes: Buffer, names: readonly string[]): Promise<readonly Answer[]> {
    if (lost) {
      destroy()
      throw lost
    }
    const answers = names.map((name) => {
      const answer = Promise.withResolvers<Answer>()
      waiting.set(name, answer)
      return answer.promise
    })
    const stopWaiting = world.clock.after(timeoutMs, () => breakOff(silent(timeoutMs)))
    connection.write(bytes)
    return Promise.all(answers).finally(stopWaiting)
  }

  const user = settings['user'] ?? ''
  const introduction = { clientId, will, user, password: secret, keepAliveS: KEEP_ALIVE_S }
  const [answer] = await ask(connectPacket(introduction), ['connack'])
  if (answer?.type === 'connack' && answer.code !== 0) {
    breakOff(refusal(answer.code))
    throw new Fault('unavailable', refusal(answer.code))
  }
  whenClosed = unacknowledged(settings['prefix'] ?? '')

  return {
    isOpen: () => lost === undefined,
    async publish(publications) {
      for (let from = 0; from < publications.length; from += IN_FLIGHT) {
        const some = publications.slice(from, from + IN_FLIGHT).map((it) => {
          lastId = (lastId % MAX_IDS) + 1
          return { bytes: publishPacket(it, lastId), name: nameOf({ type: 'puback', id: lastId }) }
        })
        await ask(
          Buffer.concat(some.map(({ bytes }) => bytes)),
          some.map(({ name }) => name),
        )
      }
    },
    ping: async () => void (await ask(PINGREQ, ['pingresp'])),
    end: () => {
      lost ??= new Fault('unavailable', 'The session is over.')
      connection.end(DISCONNECT)
    },
  }
}

const nameOf = (answer: Answer): string => (answer.type === 'puback' ? `puback ${answer.id}` : answer.type)

/** 3.2.2.3: what a broker says to a client that it does not let in, and what to do. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [1, 'it does not speak MQTT 3.1.1; let it take this version of the protocol'],
  [2, 'it does not take the id of the client; let it take ids that begin with rookery'],
  [3, 'it is not available; look at the log of the broker'],
  [4, 'it does not know the user, or the password is wrong; add it again with the right user and password'],
  [5, 'the user is not authorised; check user and password, and that the broker lets this user connect'],
])

const refusal = (code: number): string =>
  `The broker refused the connection (CONNACK ${code}): ${REFUSALS.get(code) ?? 'look at the log of the broker'}.`

const UNANSWERED =
  'It closed the connection without an answer: check the port, and use mqtts:// where the broker wants TLS.'
const NO_BROKER = 'What answers there is no broker of MQTT 3.1.1: check host and port.'

const silent = (timeoutMs: number): string =>
  `The broker did not answer within ${timeoutMs / 1_000} s: check the port, and that mqtts:// is used where it wants TLS.`

const unacknowledged = (prefix: string): string =>
  `The broker closed the connection before it had acknowledged the message: check that the user may publish below ${prefix}/ and homeassistant/, and that no other client has the same id.`
