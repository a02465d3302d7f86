// The Bird's side of one session with its console. step.ts decides; this file carries out.
import type { Body } from '@rookery/link/messages.ts'
import type { BirdLog } from '../bird-log.ts'
import type { RunCommand } from '../commands.ts'
import type { FileJobs } from '../files/file-jobs.ts'
import { runMachine, type Machine } from '../state-machine.ts'
import type { OpenLink, SessionHandler } from '../uplink/uplink.ts'
import type { BirdClock } from '../world.ts'
import { eventSender } from './event-sender.ts'
import { offeredSettings } from './offered-settings.ts'
import { heartbeatBody, helloBody, type StatusDeps } from './status.ts'
import {
  initial,
  step,
  wakeAt,
  type ConsoleSessionInput,
  type ConsoleSessionOutput,
  type ConsoleSessionState,
} from './step.ts'

export interface ConsoleSession extends SessionHandler {
  /** Call when the spool has new events. */
  wake(): void
  /** Sends a line for the console's log; false unless the Bird is registered. */
  log(line: Body<'LOG'>): boolean
  /** The settings in force were rolled back. */
  settingsReverted(): void
  /** Other decoys listen than before. */
  decoysChanged(): void
}

export interface ConsoleSessionDeps extends StatusDeps {
  readonly clock: BirdClock
  readonly log: Pick<BirdLog, 'report'>
  readonly runCommand: RunCommand
  readonly files: FileJobs
  readonly onPhase: (phase: 'pending' | 'registered') => void
  /** The console has decommissioned this Bird. */
  readonly onRevoked: (reason: string) => void
}

export function consoleSession(deps: ConsoleSessionDeps, link: OpenLink): ConsoleSession {
  const { boot, clock, log, pin, settings, spool, stateFile } = deps
  const report = (message: string): void => log.report('error', message)
  const events = eventSender({ spool, clock, clocks: boot.clocks, report }, (json) =>
    link.sendJson('EVENT_BATCH', json),
  )

  const machine: Machine<ConsoleSessionState, ConsoleSessionInput> = runMachine({
    initial,
    step: (state, input, nowMs) =>
      step(state, input, {
        nowMs,
        settingsTag: settings.current().tag,
        reverted: stateFile.values.reverted,
      }),
    wakeAt,
    perform,
    clock,
  })
  const isRegistered = (): boolean => machine.state().name === 'registered'

  function register({ nodeId, acked }: Body<'REGISTERED'>): void {
    if (stateFile.values.nodeId !== nodeId) stateFile.update({ nodeId })
    spool.reconcile(acked.spoolId === spool.id() ? acked.upto : spool.acknowledged())
    events.wake()
  }

  const offered = offeredSettings({ session: deps, link, report, send: (input) => machine.send(input) })

  function perform(output: ConsoleSessionOutput): void {
    switch (output.name) {
      case 'send':
        return link.send(output.frame)
      case 'send-hello':
        return link.send({ kind: 'HELLO', body: helloBody(deps, link.localAddress) })
      case 'send-heartbeat':
        return link.send({ kind: 'HEARTBEAT', body: heartbeatBody(deps) })
      case 'send-applied':
        return offered.sendApplied(output)
      case 'pin-console':
        return pin.pin(link.consoleKey)
      case 'drop-enrolment':
        return pin.dropEnrolment()
      case 'confirm-settings':
        return settings.confirm()
      case 'enter':
        return deps.onPhase(output.phase)
      case 'register':
        return register(output.body)
      case 'acknowledge':
        return events.acknowledged(output.body)
      case 'apply-settings':
        return void offered.apply(output.bundle)
      case 'refuse-settings':
        return offered.refuse(output)
      case 'run-command':
        return void deps.runCommand(output.command, (body) => link.send({ kind: 'CMD_RESULT', body }))
      case 'file-offered':
        return deps.files.offer(link, output.offer)
      case 'file-chunk':
        return deps.files.chunk(output.chunk)
      case 'close':
        return link.close(output.reason, output.retryMs)
      case 'report':
        return report(output.message)
      case 'revoke':
        return deps.onRevoked(output.reason)
    }
  }

  machine.send({ name: 'opened' })
  return {
    receive: (frame) => machine.send({ name: 'frame', frame }),
    wake() {
      if (isRegistered()) events.wake()
    },
    log(body) {
      if (isRegistered()) link.send({ kind: 'LOG', body })
      return isRegistered()
    },
    settingsReverted: () => machine.send({ name: 'settings-reverted' }),
    decoysChanged: () => machine.send({ name: 'decoys-changed' }),
    ended() {
      machine.stop()
      deps.files.linkLost()
      events.stop()
    },
  }
}
