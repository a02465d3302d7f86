// The Bird's side of one session with its console: which frame it says when, and what it does with each that it hears.
import { PROTOCOL, type Body, type Frame } from '@rookery/link/messages.ts'
import { deviceFacts } from './facts.ts'
import type { Bird } from './bird.ts'
import { pump, type Pump } from './pump.ts'
import type { Bundle } from './settings/bundle.ts'
import { download } from './settings/download.ts'
import type { Talk, Voice } from './uplink.ts'
import { VERSION } from './version.ts'

const HEARTBEAT_MS = 30_000
/** Silence of the console after which the connection counts as dead: two heartbeats unanswered, and some. */
const SILENCE_MS = 75_000

export interface BirdTalk extends Talk {
  /** There may be events to send. */
  wake(): void
  /** A line for the console's log; false when it cannot be told now. */
  log(line: Body<'LOG'>): boolean
  /** The settings were taken back: tell, now or when it can be told. */
  reverted(): void
}

export function talk(bird: Bird, voice: Voice): BirdTalk {
  const { spool, keeper, memory, clock } = bird
  let events: Pump | undefined
  let heartbeats = 0
  let answered = 0
  /** An answer to a later heartbeat than this proves that the console is reached under the settings in force. */
  let heartbeatsBeforeSettings = 0
  let cancelBeat = () => {}
  let cancelSilence = () => {}
  const fetching = download(voice.send, (offer, result) => void apply(offer, result))

  const state = () => ({
    ...bird.clocks(),
    uptimeS: Math.floor(bird.clocks().monotonicMs / 1000),
    settings: keeper.current(),
    wasRollback: memory.is.reverted !== undefined,
    serviceCount: keeper.serviceCount(),
  })

  function hello(): void {
    const enrol = memory.is.nodeId ? undefined : bird.enrolSecret()
    voice.send({
      kind: 'HELLO',
      body: {
        protocol: PROTOCOL,
        version: VERSION,
        ...state(),
        device: deviceFacts(voice.localAddress, bird.deviceName()),
        spool: { spoolId: spool.id(), first: spool.acknowledged() + 1, next: spool.next() },
        ...(enrol && { enrol }),
        ...(memory.is.nodeId && { nodeId: memory.is.nodeId }),
      },
    })
  }

  function beat(): void {
    cancelBeat()
    heartbeats++
    const spooled = spool.next() - 1 - spool.acknowledged()
    voice.send({ kind: 'HEARTBEAT', body: { ...state(), spooled } })
    cancelBeat = clock.after(HEARTBEAT_MS, beat)
  }

  function heard(): void {
    cancelSilence()
    cancelSilence = clock.after(SILENCE_MS, () => voice.hangUp('the console has fallen silent'))
  }

  function registered({ nodeId, acked }: Body<'REGISTERED'>): void {
    if (memory.is.nodeId !== nodeId) memory.remember({ nodeId })
    spool.reconcile(acked.spoolId === spool.id() ? acked.upto : spool.acknowledged())
    events ??= pump(spool, bird.clocks, (json) => voice.sendJson('EVENT_BATCH', json))
    tellReverted()
    bird.entered('registered')
    events.wake()
  }

  async function apply(offer: Body<'SETTINGS_OFFER'>, result: Bundle | string): Promise<void> {
    const { tag, seq } = offer
    const reason = typeof result === 'string' ? result : await keeper.apply(result)
    if (reason !== undefined) {
      bird.report('error', `Settings ${tag} were not applied: ${reason}`)
      voice.send({ kind: 'SETTINGS_FAILED', body: { tag, seq, reason: reason.slice(0, 500) } })
      return
    }
    if (memory.is.reverted) memory.remember({ reverted: undefined })
    applied(tag, seq)
  }

  function applied(tag: string, seq: number): void {
    heartbeatsBeforeSettings = heartbeats
    voice.send({ kind: 'SETTINGS_APPLIED', body: { tag, seq, serviceCount: keeper.serviceCount() } })
    beat()
  }

  function offered(offer: Body<'SETTINGS_OFFER'>): void {
    if (offer.tag === keeper.current().tag) applied(offer.tag, offer.seq)
    else if (offer.tag === memory.is.reverted?.tag) tellReverted()
    else fetching.offer(offer)
  }

  function tellReverted(): void {
    const body = memory.is.reverted
    if (body) whenRegistered({ kind: 'SETTINGS_REVERTED', body })
  }

  function refused({ reason, message, retryAfterS }: Body<'REFUSED'>): void {
    if (reason === 'bad-enrolment') bird.dropEnrolment()
    if (reason === 'revoked') return bird.end('revoked', message)
    const patienceMs = reason === 'superseded' ? 60_000 : undefined
    voice.hangUp(
      `the console refused this Bird (${reason}): ${message}`,
      retryAfterS === undefined ? patienceMs : retryAfterS * 1000,
    )
  }

  /** Frames that need no commission. */
  function receive(frame: Frame): void {
    heard()
    bird.pin(voice.remoteKey)
    switch (frame.kind) {
      case 'PENDING':
        return bird.entered('pending')
      case 'COMMISSIONED':
      case 'REGISTERED':
        return registered(frame.body)
      case 'REFUSED':
        return refused(frame.body)
      case 'GOODBYE': {
        const { reason, retryAfterS } = frame.body
        return voice.hangUp(
          `the console said goodbye: ${reason}`,
          retryAfterS === undefined ? undefined : retryAfterS * 1000,
        )
      }
      case 'HEARTBEAT_ACK':
        if (++answered > heartbeatsBeforeSettings) keeper.confirm()
        return
      default:
        if (events) return serve(frame, events)
        return voice.hangUp(`the console sent ${frame.kind} before this Bird was registered`)
    }
  }

  function serve(frame: Frame, toConsole: Pump): void {
    switch (frame.kind) {
      case 'ACK':
        return toConsole.acked(frame.body)
      case 'SETTINGS_OFFER':
        return offered(frame.body)
      case 'SETTINGS_CHUNK':
        return fetching.chunk(frame.body)
      case 'CMD':
        return void bird.carryOut(frame.body, (result) => voice.send({ kind: 'CMD_RESULT', body: result }))
      default:
        // The session lets no frame of the Bird's own side through.
        return
    }
  }

  const whenRegistered = (frame: Frame): boolean => {
    if (events) voice.send(frame)
    return events !== undefined
  }

  hello()
  heard()
  cancelBeat = clock.after(HEARTBEAT_MS, beat)
  return {
    receive,
    wake: () => events?.wake(),
    log: (body) => whenRegistered({ kind: 'LOG', body }),
    reverted: () => tellReverted(),
    ended() {
      events?.stop()
      cancelBeat()
      cancelSilence()
    },
  }
}
