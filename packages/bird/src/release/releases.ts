// Updates of the Bird's own software: judged, installed, and on trial until it is healthy. The launcher (launcher/) starts it.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Body } from '@rookery/link/messages.ts'
import { KEYS_FILE, parseKeys } from '@rookery/link/release/signature.ts'
import { sha256 } from '@rookery/link/release/archive.ts'
import { readState, writeState, type ReleaseState } from '../launcher/state.ts'
import type { FileJobs } from '../files/file-jobs.ts'
import type { Level, ReleaseOptions } from '../options.ts'
import { VERSION } from '../version.ts'
import type { BirdClock } from '../world.ts'
import { installedSensor } from '../device-facts.ts'
import { removeReleases, selfTest, writeRelease } from './install.ts'
import { judgeArchive, judgeManifest, refused, type OfferedRelease } from './judge.ts'

/** The ports of before stand again within this time, or the release is not healthy. */
const PORTS_MS = 60_000
/** The console answers within this time, if it did before. */
const CONSOLE_MS = 600_000

/** Decoys of the settings in force, as `<instance> <transport> <logical port>`, and the instances that do not listen. */
export interface Decoys {
  readonly settingsTag: string
  readonly ports: readonly string[]
  readonly notStanding: readonly string[]
}

export interface ReleasesDeps {
  readonly options: ReleaseOptions
  readonly clock: BirdClock
  readonly log: (level: Level, message: string) => void
  readonly decoys: () => Decoys
  readonly isRegistered: () => boolean
  readonly files: () => Pick<FileJobs, 'hold' | 'settle'>
  /** Stops the Bird, and starts the launcher in its place. */
  readonly restart: (reason: string) => void
}

type Offer = Body<'FILE_OFFER'>

export function releases({ options, clock, log, decoys, isRegistered, files, restart }: ReleasesDeps) {
  const { folder, launcher, running } = options
  let state: ReleaseState = readState(folder)
  /** This process runs the release on trial. */
  let isOnTrial = state.next !== undefined && running === join(folder, state.next)
  const update = (change: (state: ReleaseState) => ReleaseState): void =>
    writeState(folder, (state = change(state)))

  function judge(offer: Offer) {
    const offered = offeredOf(offer)
    const keys = parseKeys(readFileSync(join(dirname(launcher), KEYS_FILE), 'utf8'))
    const { seq = 0, seenMs = 0 } = state
    const nowMs = Math.max(clock.now(), offer.app?.serverMs ?? 0, seenMs)
    const facts = { sensor: installedSensor(), node: process.versions.node, version: VERSION, seq, nowMs }
    return { offered, nowMs, manifest: judgeManifest(offered, { keys, ...facts }) }
  }

  /** Resolves never: the process is replaced. Rejects with the reason when the release is refused. */
  async function install(bytes: Buffer, offer: Offer): Promise<void> {
    const { offered, nowMs, manifest } = judge(offer)
    const unpacked = judgeArchive(manifest, bytes)
    const id = sha256(offered.manifest).slice(0, 32)
    removeReleases(folder, [state.current])
    writeRelease(folder, id, unpacked, offered)
    await selfTest(folder, id, manifest.version)
    const { ports, settingsTag } = decoys()
    const { seq } = manifest
    const trial = { job: offer.job, seq, size: bytes.length, ports, settingsTag, hadConsole: isRegistered() }
    update(({ current, seq: accepted }) => ({
      ...(current !== undefined && { current }),
      ...(accepted !== undefined && { seq: accepted }),
      next: id,
      trial,
      seenMs: nowMs,
    }))
    restart(`the release ${manifest.version} takes its place`)
    await new Promise<never>(() => {})
  }

  function healthy(): void {
    const { next, trial } = state
    isOnTrial = false
    stopWatching()
    if (next === undefined || !trial) return
    log('info', `The release ${VERSION} is healthy and stays.`)
    files().settle(trial.job, trial.size, '')
    const { seq } = trial
    update(({ seenMs }) => ({ current: next, seq, ...(seenMs !== undefined && { seenMs }) }))
    removeReleases(folder, [next])
  }

  function fail(problem: string): void {
    isOnTrial = false
    stopWatching()
    log('error', `The release ${VERSION} is not healthy: ${problem}.`)
    update((before) => ({ ...before, problem }))
    restart(`its release is not healthy: ${problem}`)
  }

  const missing = (): readonly string[] => missingPorts(state.trial, decoys())
  function check(): void {
    if (isOnTrial && missing().length === 0 && (isRegistered() || state.trial?.hadConsole !== true)) healthy()
  }
  let stopWatching = (): void => undefined

  return {
    judge: (offer: Offer): void => void judge(offer),
    install,
    /** Called when decoys and link may have changed. */
    check,
    /** Called once the Bird is put together. */
    start(): void {
      const { trial, dropped, next } = state
      if (trial && !isOnTrial && (dropped || next === undefined)) {
        const reason = dropped?.reason ?? 'the release is not there'
        log('error', `The update was rolled back: ${reason}.`)
        files().settle(trial.job, trial.size, `rolled back: ${reason}`)
        update(({ trial: _trial, dropped: _dropped, ...rest }) => rest)
      }
      if (!isOnTrial || !trial) return
      files().hold(trial.job)
      const stops = [
        clock.after(PORTS_MS, () => missing().length > 0 && fail(portsProblem(missing()))),
        clock.after(CONSOLE_MS, () => isOnTrial && fail(CONSOLE_PROBLEM)),
      ]
      stopWatching = () => stops.forEach((stop) => stop())
      check()
    },
    /** The Bird was asked to stop: that start is no try. */
    stoppedByOrder(): void {
      stopWatching()
      if (isOnTrial) update((before) => ({ ...before, tries: Math.max(0, (before.tries ?? 1) - 1) }))
    },
  }
}

export type Releases = ReturnType<typeof releases>

/** Other settings, which came meanwhile, have other ports. */
const missingPorts = (
  trial: ReleaseState['trial'],
  { settingsTag, ports, notStanding }: Decoys,
): readonly string[] =>
  trial?.settingsTag === settingsTag ? trial.ports.filter((port) => !ports.includes(port)) : notStanding

const portsProblem = (ports: readonly string[]): string =>
  `after ${PORTS_MS / 1000} s these ports do not stand as before: ${ports.join(', ')}`
const CONSOLE_PROBLEM = `the console did not answer within ${CONSOLE_MS / 60_000} minutes`

/** A Bird that no launcher starts: its package, or its image, is renewed in its place. */
export const notUpdatable = (): never => {
  throw refused(
    'not updatable',
    'no package with release keys installed this Bird; renew its package, its image or its clone',
  )
}

function offeredOf({ app }: Offer): OfferedRelease {
  if (!app) throw refused('not readable', 'the console sent no manifest')
  return { manifest: Buffer.from(app.manifest), signature: app.signature }
}
