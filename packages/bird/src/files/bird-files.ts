// The files that a Bird takes from its console, and what each kind becomes: pages of its web server, files of its share, or its own software.
import type { Host } from '@rookery/decoys/host/host.ts'
import type { ActiveSettings } from '../active-settings/active-settings.ts'
import type { BirdLog } from '../bird-log.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { BirdOptions } from '../options.ts'
import type { phaseTracker } from '../phase.ts'
import { notUpdatable, releases as birdReleases, type Releases } from '../release/releases.ts'
import type { StateFile } from '../state-file.ts'
import type { BirdClock } from '../world.ts'
import { download } from '../world/download.ts'
import { fileJobs, type ApplyFile, type FileJobs } from './file-jobs.ts'
import { httpFetch } from './http-fetch.ts'
import { replaceShare } from './share-swap.ts'
import { replaceWebroot } from './webroot-swap.ts'

export interface BirdFilesDeps {
  readonly directory: string
  readonly stateFile: StateFile
  readonly clock: BirdClock
  readonly log: Pick<BirdLog, 'report'>
  readonly host: Pick<Host, 'listening'>
  readonly settings: Pick<ActiveSettings, 'current' | 'notStanding'>
  readonly phase: Pick<ReturnType<typeof phaseTracker>, 'read'>
  readonly lifecycle: Pick<Lifecycle, 'end'>
}

export interface BirdFiles {
  readonly files: FileJobs
  /** Undefined where no launcher started this Bird. */
  readonly releases: Releases | undefined
}

export function birdFiles(
  options: Pick<BirdOptions, 'releases' | 'consoleUrl'>,
  { directory, stateFile, clock, log, host, settings, phase, lifecycle }: BirdFilesDeps,
): BirdFiles {
  const releases =
    options.releases &&
    birdReleases({
      options: options.releases,
      clock,
      log: log.report,
      decoys: () => ({
        settingsTag: settings.current().tag,
        ports: host.listening().map(({ instance, transport, port }) => `${instance} ${transport} ${port}`),
        notStanding: settings.notStanding().map(({ instance }) => instance),
      }),
      isRegistered: () => phase.read().phase === 'registered',
      files: () => files,
      restart: (reason) => void lifecycle.end('updating', reason),
    })
  const files = fileJobs({
    directory,
    stateFile,
    kinds: new Map<string, ApplyFile>([
      ['webroot', (zip) => replaceWebroot(directory, zip)],
      ['share', (zip) => replaceShare(directory, zip)],
      ['app', releases?.install ?? notUpdatable],
    ]),
    judges: new Map([['app', releases?.judge ?? notUpdatable]]),
    httpFetch: httpFetch({ consoleUrl: options.consoleUrl.replace(/^ws/i, 'http'), clock, download }),
    pid: process.pid,
    clock,
  })
  return { files, releases }
}
