// The console's side of one Bird's link: what it does with each frame, and how it brings the Bird in line with its row.
// The row is the truth: whatever another room or console changes, `attend` reads it again and says what is missing.
import type { Logger } from 'pino'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Body, Frame } from '@rookery/link/messages.ts'
import type { Base } from '../../base.ts'
import type { Ingest } from '../../flows/ingest/ingest.ts'
import { hasOpenCommand, openCommands, settleCommand } from '../../stores/birds/commands.store.ts'
import { FAREWELL, removeBird } from '../../stores/birds/commission.ts'
import { spoolPosition } from '../../stores/birds/link.store.ts'
import { changeBird, findBird, type BirdRow } from '../../stores/birds/store.ts'
import type { Beats } from './beats.ts'
import { eventTime } from './event-times.ts'
import { greet, type Greeter } from './greet.ts'
import type { Line, LineListener } from './line.ts'
import { makeOffer, type Offer } from './offer.ts'
import { plainFields, plainText } from './plain.ts'

export interface Talking extends Pick<Base, 'reader' | 'writer' | 'world'> {
  readonly greeter: Greeter
  readonly ingest: Pick<Ingest, 'fromBird'>
  readonly beats: Beats
  readonly log: Logger
  /** The Bird has a row now: this is its link, an older one of the same Bird is closed. */
  readonly arrived: (nodeId: string, talk: Talk) => void
  readonly left: (nodeId: string, talk: Talk) => void
  /** A Bird whose outage was told is back. */
  readonly returned: () => void
}

export interface Talk extends LineListener {
  readonly line: Line
  /** Looks at the Bird's row and its commands, and says what it does not know yet. */
  attend(): Promise<void>
}

const MOST_WAITING_FRAMES = 64
const LOG_LINES_A_MINUTE = 60

export function talk(line: Line, talking: Talking): Talk {
  const { reader, writer, world, ingest, beats, log } = talking
  const { clock } = world
  let hello: Body<'HELLO'> | undefined
  let nodeId: string | undefined
  let told: 'nothing' | 'pending' | 'registered' = 'nothing'
  let offer: Offer | undefined
  /** The bundle that the Bird has, or said that it cannot use. */
  let settledTag = ''
  const sentCommands = new Set<string>()
  let isLeaving = false
  let waitingFrames = 0
  let logged = { minute: 0, lines: 0 }
  // Frames are served one after the other: a batch that fails must never be overtaken by the next one.
  let queue = Promise.resolve()

  function heard(frame: Frame, remoteKey: Buffer): void {
    if (frame.kind === 'HEARTBEAT' && nodeId !== undefined) return beat(nodeId, frame.body)
    if (++waitingFrames >= MOST_WAITING_FRAMES) line.hold(true)
    queue = queue.then(() => serve(frame, remoteKey)).catch(fail)
    void queue.then(() => {
      if (--waitingFrames === MOST_WAITING_FRAMES / 2) line.hold(false)
    })
  }

  function fail(error: unknown): void {
    if (error instanceof Fault && error.code === 'unavailable') {
      log.warn({ nodeId, address: line.address, reason: error.message }, 'link cannot be served')
      // The Bird keeps its events, and comes back.
      return line.refuse('unavailable', error.message, error.retryAfterS ?? 5)
    }
    log.error({ err: error, nodeId, address: line.address }, 'link failed')
    line.close('an error inside the console')
  }

  async function serve(frame: Frame, remoteKey: Buffer): Promise<void> {
    if (!line.isOpen()) return
    if (frame.kind === 'HELLO') return welcome(frame.body, remoteKey)
    if (frame.kind === 'GOODBYE') return line.close(`the Bird said goodbye: ${plainText(frame.body.reason)}`)
    if (nodeId === undefined) return line.refuse('bad-frame', `${frame.kind} before HELLO.`)
    if (frame.kind === 'HEARTBEAT') return beat(nodeId, frame.body)
    if (told !== 'registered') return line.refuse('bad-frame', `${frame.kind} from a pending Bird.`)
    switch (frame.kind) {
      case 'EVENT_BATCH':
        return events(nodeId, frame.body)
      case 'SETTINGS_FETCH':
        if (offer?.body.tag === frame.body.tag)
          return line.say({ kind: 'SETTINGS_CHUNK', body: offer.chunk(frame.body) })
        offer = undefined
        return attend()
      case 'SETTINGS_APPLIED':
      case 'SETTINGS_FAILED':
      case 'SETTINGS_REVERTED':
        return settings(nodeId, frame)
      case 'CMD_RESULT':
        return result(nodeId, frame.body)
      case 'LOG':
        return logLine(frame.body)
      default:
        return line.refuse('bad-frame', `${frame.kind} is not for the console.`)
    }
  }

  async function welcome(body: Body<'HELLO'>, publicKey: Buffer): Promise<void> {
    if (hello) return line.refuse('bad-frame', 'HELLO came twice.')
    hello = body
    const greeting = await greet(talking.greeter, { publicKey, hello, address: line.address })
    if (!line.isOpen()) return
    if ('refused' in greeting) return line.refuse(greeting.refused, greeting.message, greeting.retryAfterS)
    nodeId = greeting.nodeId
    settledTag = body.settings.tag
    log.info({ nodeId, address: line.address, version: plainText(body.version) }, 'Bird connected')
    talking.arrived(nodeId, self)
    await attend()
    if (greeting.wasOffline) talking.returned()
  }

  function beat(id: string, body: Body<'HEARTBEAT'>): void {
    const now = clock.now()
    beats.note({
      node_id: id,
      last_seen_at: now,
      live: 1,
      booted_at: now - body.uptimeS * 1000,
      applied_tag: plainText(body.settings.tag),
      was_rollback: body.wasRollback ? 1 : 0,
      service_count: body.serviceCount,
    })
    line.say({ kind: 'HEARTBEAT_ACK', body: { serverMs: now } })
  }

  let attending: Promise<void> | undefined
  let isStale = false
  function attend(): Promise<void> {
    isStale = true
    attending ??= (async () => {
      try {
        while (isStale && line.isOpen()) {
          isStale = false
          await bringInLine()
        }
      } finally {
        attending = undefined
      }
    })()
    return attending
  }

  async function bringInLine(): Promise<void> {
    if (nodeId === undefined || hello === undefined || isLeaving) return
    const row = await findBird(reader, 'all', nodeId)
    switch (row?.state) {
      case 'pending':
      case 'queued':
        if (told === 'nothing') line.say({ kind: 'PENDING', body: { serverMs: clock.now() } })
        told = 'pending'
        return
      case 'registered':
        return standBy(row, hello)
      case 'cancelled':
        return line.refuse('cancelled', 'The commission of this Bird was cancelled.', 86_400)
      case 'removed':
      case undefined:
        return line.refuse('revoked', 'This Bird was decommissioned.')
    }
  }

  async function standBy(row: BirdRow, { spool, nodeId: knownAs }: Body<'HELLO'>): Promise<void> {
    if (told !== 'registered') {
      const upto = await spoolPosition(reader, row.node_id, spool.spoolId)
      line.say({
        kind: knownAs === row.node_id ? 'REGISTERED' : 'COMMISSIONED',
        body: {
          nodeId: row.node_id,
          settingsTag: row.settings_tag || null,
          serverMs: clock.now(),
          acked: { spoolId: spool.spoolId, upto },
        },
      })
      told = 'registered'
    }
    const isWanted = row.settings_tag !== '' && row.settings_tag !== settledTag && row.settings_failure === ''
    if (isWanted && offer?.body.tag !== row.settings_tag) {
      offer = makeOffer(row)
      line.say({ kind: 'SETTINGS_OFFER', body: offer.body })
    }
    await order(row.node_id)
  }

  async function order(id: string): Promise<void> {
    for (const { command_id, kind, payload, state } of await openCommands(reader, id)) {
      if (sentCommands.has(command_id)) continue
      sentCommands.add(command_id)
      const details = JSON.parse(payload) as Record<string, unknown>
      line.say({ kind: 'CMD', body: { id: command_id, kind, payload: details } })
      if (state === 'sent') continue
      const change = { state: 'sent', detail: '', updated_at: clock.now() } as const
      await writer.write((tx) => settleCommand(tx.query, id, command_id, change))
    }
  }

  async function events(id: string, batch: Body<'EVENT_BATCH'>): Promise<void> {
    const receivedAt = clock.now()
    const upto = await ingest.fromBird({
      nodeId: id,
      spoolId: batch.spoolId,
      receivedAt,
      events: batch.events.map((event) => ({
        seq: event.seq,
        touch: {
          nodeId: id,
          logtype: event.logtype,
          instance: plainText(event.instance),
          at: eventTime(event, batch, receivedAt),
          srcHost: plainText(event.srcHost),
          srcPort: event.srcPort,
          dstHost: plainText(event.dstHost),
          dstPort: event.dstPort,
          fields: plainFields(event.fields),
        },
      })),
    })
    line.say({ kind: 'ACK', body: { spoolId: batch.spoolId, upto } })
  }

  type Settled = Extract<Frame, { kind: `SETTINGS_${'APPLIED' | 'FAILED' | 'REVERTED'}` }>

  async function settings(id: string, { kind, body }: Settled): Promise<void> {
    settledTag = body.tag
    if (offer?.body.tag === body.tag) offer = undefined
    await writer.write(async (tx) => {
      const row = await findBird(tx.query, 'all', id)
      if (!row) return
      const isNewest = row.settings_tag === plainText(body.tag)
      await changeBird(tx.query, id, {
        updated_at: clock.now(),
        ...(kind === 'SETTINGS_APPLIED' && {
          applied_tag: plainText(body.tag),
          service_count: body.serviceCount,
          was_rollback: 0,
          ...(isNewest && { settings_failure: '' }),
        }),
        ...(kind === 'SETTINGS_FAILED' &&
          isNewest && { settings_failure: plainText(body.reason, 500) || 'failed' }),
        ...(kind === 'SETTINGS_REVERTED' && {
          applied_tag: plainText(body.to),
          was_rollback: 1,
          ...(isNewest && { settings_failure: `rolled back: ${plainText(body.reason, 500)}` }),
        }),
      })
    })
    if (kind !== 'SETTINGS_APPLIED') {
      log.warn(
        { nodeId: id, tag: plainText(body.tag), reason: plainText(body.reason, 500) },
        'settings not in force',
      )
    }
    // A newer bundle may have come while this one was applied.
    await attend()
  }

  async function result(id: string, { id: commandId, ok, detail }: Body<'CMD_RESULT'>): Promise<void> {
    await writer.write(async (tx) => {
      const change = {
        state: ok ? 'done' : 'failed',
        detail: plainText(detail, 500),
        updated_at: clock.now(),
      } as const
      if ((await settleCommand(tx.query, id, commandId, change)) !== FAREWELL) return
      // It goes by its own account: nothing more is said to it.
      isLeaving = true
      const row = await findBird(tx.query, 'all', id)
      if (row?.state === 'registered') await removeBird(tx, row, world)
    })
  }

  function logLine({ level, message }: Body<'LOG'>): void {
    const minute = Math.floor(clock.now() / 60_000)
    if (logged.minute !== minute) logged = { minute, lines: 0 }
    if (++logged.lines > LOG_LINES_A_MINUTE) return
    log[level === 'warning' ? 'warn' : level]({ nodeId, bird: plainText(message, 2_000) }, 'Bird says')
  }

  /** A Bird that was told to go and whose link is gone has gone. */
  async function removeIfTold(id: string): Promise<void> {
    if (isLeaving || !(await hasOpenCommand(reader, id, FAREWELL))) return
    await writer.write(async (tx) => {
      const row = await findBird(tx.query, 'all', id)
      const isTold = await hasOpenCommand(tx.query, id, FAREWELL)
      if (row?.state === 'registered' && isTold) await removeBird(tx, row, world)
    })
  }

  const self: Talk = {
    line,
    heard,
    attend,
    closed() {
      if (nodeId === undefined) return
      talking.left(nodeId, self)
      if (sentCommands.size === 0) return
      removeIfTold(nodeId).catch((error: unknown) =>
        log.warn({ err: error, nodeId }, 'could not remove a Bird'),
      )
    },
  }
  return self
}
