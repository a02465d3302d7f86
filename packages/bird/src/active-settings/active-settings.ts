// The settings in force: opens their ports, stores them, rolls them back. step.ts decides; this file carries out.
import type { ServiceDescriptor } from '@rookery/decoys/settings/descriptor.ts'
import type { Host, ListenFailure } from '@rookery/decoys/host/host.ts'
import type { SensorStatus } from '@rookery/decoys/session/sensor.ts'
import type { BirdFolders, BirdSettings, Service } from '@rookery/decoys/session/session.ts'
import { runMachine, type Machine } from '../state-machine.ts'
import type { BirdClock } from '../world.ts'
import type { Bundle } from './bundle.ts'
import { settingsProblem } from './check-settings.ts'
import { failuresText } from './decoy-outage.ts'
import { portOpener } from './port-opener.ts'
import { settingsRefusals, type RefusedSettings, type SettingsRefusals } from './refused-settings.ts'
import type { SettingsFile } from './settings-file.ts'
import {
  currentOf,
  failuresOf,
  initial,
  step,
  toStored,
  wakeAt,
  type ActiveSettingsInput,
  type ActiveSettingsOutput,
  type ActiveSettingsState,
  type Rollback,
} from './step.ts'

const TRIAL_MS = 120_000

export interface ActiveSettingsOptions {
  readonly host: Pick<Host, 'apply' | 'retry' | 'listening' | 'sensing'>
  readonly services: Readonly<Record<string, Service>>
  /** Where services find what users uploaded. */
  readonly folders?: BirdFolders
  readonly descriptors: readonly Pick<ServiceDescriptor, 'settings'>[]
  readonly file: SettingsFile
  readonly clock: BirdClock
  readonly report: (level: 'info' | 'warning', message: string) => void
  /** Sets the IP stack as the settings claim, before their ports are opened; answers why it cannot, as a sentence. */
  readonly setIpStack?: (settings: BirdSettings) => string | undefined
  /** Other ports are open than before, or another bundle is in force. */
  readonly onChanged: () => void
  /** Other decoys listen than before, under settings that the console knows. */
  readonly onDecoysChanged: () => void
  /** Decoys do not listen for a minute. */
  readonly onNotStanding: (failures: readonly ListenFailure[]) => void
  /** The console has wanted settings for a minute that cannot be used. */
  readonly onRefused: (refused: RefusedSettings) => void
  readonly onRolledBack: (rollback: Rollback) => void
  readonly trialMs?: number
}

export interface ActiveSettings {
  /** Opens the ports of the stored bundle, if there is one. */
  start(): Promise<void>
  /**
   * Undefined once the bundle is in force; else why it is not, as a phrase, and nothing has changed. Decoys that cannot
   * listen do not keep a bundle from being in force: `notStanding` names them, and they are tried again until they can.
   */
  apply(bundle: Bundle): Promise<string | undefined>
  readonly refusals: SettingsRefusals
  /** The console was reached under the settings in force: their trial ends. */
  confirm(): void
  /** Opens the ports of the bundle in force that are not open. Undefined, or what still fails, as a phrase. */
  refresh(): Promise<string | undefined>
  /** The bundle in force; tag empty and seq 0 when there is none. */
  current(): Pick<Bundle, 'tag' | 'seq'>
  /** One value of the settings in force. */
  setting(key: string): unknown
  /** Services that listen. */
  serviceCount(): number
  /** Services of the settings in force that do not listen, and why. */
  notStanding(): readonly ListenFailure[]
  /** The sensors of the settings in force, and by which way each notices. */
  sensing(): readonly SensorStatus[]
  /** Why the IP stack is not as the settings in force claim, as a sentence; undefined when it is, or was not to be set. */
  ipStackObstacle(): string | undefined
  /** Applies nothing any more once it resolves; the caller closes the host. */
  stop(): Promise<void>
}

export function activeSettings(options: ActiveSettingsOptions): ActiveSettings {
  const { host, services, descriptors, file, clock, report, trialMs = TRIAL_MS } = options
  const refusals = settingsRefusals(clock, options.onRefused)
  const ports = portOpener(host, services, options.folders)
  let opening: Promise<void> | undefined
  let isStopped = false
  let ipStackObstacle: string | undefined = undefined

  const machine: Machine<ActiveSettingsState, ActiveSettingsInput> = runMachine({
    initial,
    step: (state, input, nowMs) => step(state, input, { nowMs, trialMs }),
    wakeAt,
    perform,
    clock,
  })
  const current = (): Bundle | undefined => currentOf(machine.state())
  const notStanding = (): readonly ListenFailure[] => failuresOf(machine.state())
  const isOpened = (): Promise<void> | undefined => opening

  async function open(attempt: Promise<readonly ListenFailure[]>): Promise<void> {
    const failures = await attempt
    opening = undefined
    machine.send({ name: 'opened', failures })
  }

  function setIpStack(settings: BirdSettings): void {
    ipStackObstacle = options.setIpStack?.(settings)
    if (ipStackObstacle !== undefined) report('warning', ipStackObstacle)
  }

  function save(): void {
    try {
      file.save(toStored(machine.state()))
    } catch (error) {
      report(
        'warning',
        `The settings ${current()?.tag} are in force but cannot be stored: ${(error as Error).message}. They are lost when the Bird stops.`,
      )
    }
  }

  function perform(output: ActiveSettingsOutput): void {
    switch (output.name) {
      case 'open-ports':
        setIpStack(output.bundle.settings)
        opening = open(ports.open(output.bundle.settings))
        return
      case 'retry-ports':
        opening = open(ports.retry())
        return
      case 'save':
        return save()
      case 'changed':
        return options.onChanged()
      case 'decoys-changed':
        return options.onDecoysChanged()
      case 'report':
        return report(output.level, output.message)
      case 'decoys-not-standing':
        return options.onNotStanding(output.failures)
      case 'rolled-back':
        return options.onRolledBack(output.rollback)
    }
  }

  /** One change at a time: nothing is awaited between the last check of `opening` and the input. */
  async function change(input: () => ActiveSettingsInput): Promise<string | undefined> {
    while (opening) await opening
    if (isStopped) return 'the Bird is stopping'
    machine.send(input())
    await isOpened()
    return undefined
  }

  return {
    async start() {
      await change(() => ({ name: 'start', stored: file.load() }))
    },
    apply: async (bundle) =>
      settingsProblem(descriptors, bundle.settings) ?? (await change(() => ({ name: 'apply', bundle }))),
    refusals,
    confirm: () => machine.send({ name: 'confirm' }),
    async refresh() {
      if (!current()) return 'there are no settings yet'
      return (await change(() => ({ name: 'refresh' }))) ?? (failuresText(notStanding()) || undefined)
    },
    current: () => current() ?? { tag: '', seq: 0 },
    setting: (key) => current()?.settings[key],
    serviceCount: () => new Set(host.listening().map(({ instance }) => instance)).size,
    notStanding,
    sensing: host.sensing,
    ipStackObstacle: () => ipStackObstacle,
    async stop() {
      isStopped = true
      refusals.end()
      while (opening) await opening
      machine.stop()
    },
  }
}
