// A running Bird: decoys, spool, settings and the link to its console, put together.
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openHost } from '@rookery/decoys/host/host.ts'
import type { Random } from '@rookery/kernel/world.ts'
import { shortKeyHash } from '@rookery/link/pairing.ts'
import { activeSettings } from './active-settings/active-settings.ts'
import { SETTINGS_FILE, settingsFile } from './active-settings/settings-file.ts'
import type { Rollback } from './active-settings/step.ts'
import { birdCommands } from './bird-commands.ts'
import { birdLog, type BirdLog } from './bird-log.ts'
import { boot as firstBoot } from './boot.ts'
import { commandRunner } from './commands.ts'
import { consoleSession, type ConsoleSession } from './console-session/console-session.ts'
import { INCOMING_FOLDER, openDataDirectory, SHARE_FOLDER, WEBROOT_FOLDER } from './data-directory.ts'
import { eventRecorder, type EventRecorder } from './event-recorder.ts'
import { SPOOL_FOLDER } from './event-spool.ts'
import { birdFiles } from './files/bird-files.ts'
import { finishSwap } from './files/folder-swap.ts'
import { openIdentity, wipeIdentity } from './identity.ts'
import { ipStack } from './ip-stack.ts'
import { lifecycle as birdLifecycle } from './lifecycle.ts'
import { lockDirectory } from './lock.ts'
import type { BirdOptions, BirdState, RunningBird } from './options.ts'
import { phaseTracker } from './phase.ts'
import type { Releases } from './release/releases.ts'
import { openStateFile, STATE_FILE, type StateFile } from './state-file.ts'
import { ownAddress } from './reach.ts'
import { consolePin } from './uplink/console-pin.ts'
import { uplink, type Uplink } from './uplink/uplink.ts'
import { linkUrl, wsCarrier, type Carrier } from './uplink/ws-carrier.ts'
import { systemClock, systemRandom } from './world.ts'

/**
 * Runs a Bird. Throws a Fault for what cannot work: a wrong address or enrolment code (`bad-input`), a data directory that
 * cannot be used or is damaged (`unavailable`), or one that another Bird uses (`conflict`). A console that is away is no error:
 * the decoys of the last settings are opened all the same, and their events wait in the spool.
 */
export async function runBird(options: BirdOptions): Promise<RunningBird> {
  const directory = resolve(options.dataDir)
  const carrier = wsCarrier(linkUrl(options.consoleUrl))
  openDataDirectory(directory, (message) => options.log('warning', message))
  const unlock = lockDirectory(directory)
  try {
    for (const folder of [WEBROOT_FOLDER, SHARE_FOLDER]) finishSwap(directory, folder)
    const { start, ...bird } = assemble(options, directory, carrier, unlock)
    await start()
    return bird
  } catch (error) {
    unlock()
    throw error
  }
}

function assemble(
  options: BirdOptions,
  directory: string,
  carrier: Carrier,
  unlock: () => void,
): RunningBird & { start(): Promise<void> } {
  const { clock = systemClock, random = systemRandom, bind, portOffset, maxBackoffMs, trialMs } = options
  // What follows may report a damaged file before there is a link.
  let link: Uplink<ConsoleSession> | undefined = undefined
  let releases: Releases | undefined = undefined
  const session = (): ConsoleSession | undefined => link?.session()
  const localAddress = (): string => ownAddress(bind, link?.localAddress() ?? '')
  const onChange = (): void => (releases?.check(), options.onChange?.(state()))
  const log = birdLog(clock, options.log, (line) => session()?.log(line) ?? false)
  const report = (message: string): void => log.report('warning', message)

  const { identity, stateFile, pin, file } = openFiles(options, directory, random, report)
  const boot = firstBoot(clock, random)
  const phase = phaseTracker({ options, birdKey: identity.key.publicKey, stateFile, onChange })

  const onSpooled = (): void => session()?.wake()
  const events = eventRecorder({ directory, clock, random, boot, localAddress, report, onSpooled })
  reportUnstopped(options, events)
  const place = { bind, portOffset, clock }
  const host = openHost({ ...place, random, derive: identity.derive, emit: events.recordTouches })

  const settings = activeSettings({
    host,
    services: options.services,
    folders: { webroot: join(directory, WEBROOT_FOLDER), share: join(directory, SHARE_FOLDER) },
    descriptors: options.descriptors ?? [],
    file,
    clock,
    report: log.report,
    ...(options.setsIpStack && { setIpStack: ipStack() }),
    onChanged: onChange,
    onDecoysChanged: () => session()?.decoysChanged(),
    onNotStanding: events.recordNotStanding,
    onRefused: events.recordRefused,
    ...(trialMs !== undefined && { trialMs }),
    onRolledBack(rollback) {
      recordRollback(rollback, { stateFile, events, log })
      session()?.settingsReverted()
    },
  })

  const lifecycle = birdLifecycle({
    host,
    settings,
    spool: events.spool,
    stopLink: (reason) => link?.stop(reason),
    log: options.log,
    wipe: () => wipe(directory),
    onEnded: (ending) => (unlock(), phase.end(ending)),
  })
  const restartLink = (reason: string): void => link?.restart(reason)
  const commands = birdCommands({ boot, host, settings, lifecycle, log, restartLink })

  const onPhase = (entered: 'pending' | 'registered'): void => {
    phase.enter(entered)
    if (entered === 'registered') log.sendUnsent()
  }
  const onRevoked = (reason: string): void => void lifecycle.end('revoked', reason)
  const { spool } = events
  const runCommand = commandRunner(commands, stateFile)
  const own = { boot, log, pin, settings, spool, stateFile }
  const birdsFiles = birdFiles(options, { ...own, directory, clock, host, phase, lifecycle })
  releases = birdsFiles.releases
  const deps = { ...place, ...own, ...birdsFiles, runCommand, onPhase, onRevoked }
  link = uplink({
    carrier,
    key: identity.key,
    clock,
    random,
    accept: pin.verify,
    openSession: (open) => consoleSession(deps, open),
    onDisconnected: phase.disconnected,
    ...(maxBackoffMs !== undefined && { maxBackoffMs }),
  })

  const state = (): BirdState => ({
    ...phase.read(),
    nodeId: stateFile.values.nodeId,
    deviceIdHash: shortKeyHash(identity.key.publicKey),
    settingsTag: settings.current().tag,
    listening: host.listening(),
    notStanding: settings.notStanding(),
    sensors: host.sensing(),
    spooled: events.spool.size(),
  })
  return {
    state,
    ended: lifecycle.ended,
    stop: () => (releases?.stoppedByOrder(), lifecycle.end('stopped', 'it was asked to stop')),
    start() {
      releases?.start()
      return settings.start().then(() => link?.start())
    },
  }
}

function reportUnstopped({ unstopped, log }: BirdOptions, events: EventRecorder): void {
  if (unstopped === undefined) return
  log('warning', `This Bird starts again: ${unstopped}.`)
  events.recordUnstopped(unstopped)
}

interface RollbackDeps {
  readonly stateFile: StateFile
  readonly events: Pick<EventRecorder, 'recordRollback'>
  readonly log: Pick<BirdLog, 'report'>
}

/** Stored before it is reported. */
function recordRollback(rollback: Rollback, { stateFile, events, log }: RollbackDeps): void {
  const { failed, restored, reason } = rollback
  stateFile.update({ reverted: { tag: failed.tag, seq: failed.seq, to: restored.tag, reason } })
  events.recordRollback(rollback)
  log.report('error', `The settings ${failed.tag} were rolled back to ${restored.tag}: ${reason}`)
}

function openFiles(
  { consoleUrl, enrol }: BirdOptions,
  directory: string,
  random: Random,
  report: (message: string) => void,
) {
  const identity = openIdentity(directory, random)
  const stateFile = openStateFile(directory, report)
  return {
    identity,
    stateFile,
    pin: consolePin(consoleUrl, directory, stateFile, enrol),
    file: settingsFile(directory, report),
  }
}

/** Deletes what identifies this Bird, and what its console has given it. */
function wipe(directory: string): void {
  wipeIdentity(directory)
  const folders = [SPOOL_FOLDER, WEBROOT_FOLDER, SHARE_FOLDER, INCOMING_FOLDER]
  for (const name of [STATE_FILE, SETTINGS_FILE, ...folders])
    rmSync(join(directory, name), { recursive: true, force: true })
}
