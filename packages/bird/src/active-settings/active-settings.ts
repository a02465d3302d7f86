// The settings in force: opens their ports, stores them, rolls them back. step.ts decides; this file carries out.
import type { ServiceDescriptor } from '@rookery/decoys/descriptor.ts'
import type { Host } from '@rookery/decoys/host/host.ts'
import type { Service } from '@rookery/decoys/session.ts'
import { runMachine, type Machine } from '../state-machine.ts'
import type { BirdClock } from '../world.ts'
import type { Bundle } from './bundle.ts'
import { settingsProblem } from './check-settings.ts'
import { listenersOf } from './listeners.ts'
import type { SettingsFile } from './settings-file.ts'
import {
  currentOf,
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
  readonly host: Pick<Host, 'apply' | 'listening'>
  readonly services: Readonly<Record<string, Service>>
  readonly descriptors: readonly Pick<ServiceDescriptor, 'settings'>[]
  readonly file: SettingsFile
  readonly clock: BirdClock
  readonly report: (message: string) => void
  /** Other ports are open than before, or another bundle is in force. */
  readonly onChanged: () => void
  readonly onRolledBack: (rollback: Rollback) => void
  readonly trialMs?: number
}

export interface ActiveSettings {
  /** Opens the ports of the stored bundle, if there is one. When they are in use it tries again until they are free. */
  start(): Promise<void>
  /** Undefined once the bundle is in force; else why it is not, as a phrase, and nothing has changed. */
  apply(bundle: Bundle): Promise<string | undefined>
  /** The console was reached under the settings in force: their trial ends. */
  confirm(): void
  /** Opens the ports of the bundle in force again. Undefined, or why that failed, as a phrase. */
  refresh(): Promise<string | undefined>
  /** The bundle in force; tag empty and seq 0 when there is none. */
  current(): Pick<Bundle, 'tag' | 'seq'>
  /** One value of the settings in force. */
  setting(key: string): unknown
  serviceCount(): number
  /** Applies nothing any more once it resolves; the caller closes the host. */
  stop(): Promise<void>
}

export function activeSettings(options: ActiveSettingsOptions): ActiveSettings {
  const { host, services, descriptors, file, clock, report, trialMs = TRIAL_MS } = options
  /** Resolves with why the ports cannot be opened. */
  let opening: Promise<string | undefined> | undefined
  let isStopped = false

  const machine: Machine<ActiveSettingsState, ActiveSettingsInput> = runMachine({
    initial,
    step: (state, input, nowMs) => step(state, input, { nowMs, trialMs }),
    wakeAt,
    perform,
    clock,
  })
  const current = (): Bundle | undefined => currentOf(machine.state())

  async function openPorts({ settings }: Bundle): Promise<string | undefined> {
    const problem = await openListeners(settings)
    opening = undefined
    machine.send(problem === undefined ? { name: 'opened' } : { name: 'failed', problem })
    return problem
  }

  async function openListeners(settings: Bundle['settings']): Promise<string | undefined> {
    try {
      await host.apply(listenersOf(services, settings))
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  function save(): void {
    try {
      file.save(toStored(machine.state()))
    } catch (error) {
      report(
        `The settings ${current()?.tag} are in force but cannot be stored: ${(error as Error).message}. They are lost when the Bird stops.`,
      )
    }
  }

  function perform(output: ActiveSettingsOutput): void {
    switch (output.name) {
      case 'open-ports':
        opening = openPorts(output.bundle)
        return
      case 'save':
        return save()
      case 'changed':
        return options.onChanged()
      case 'report':
        return report(output.message)
      case 'rolled-back':
        return options.onRolledBack(output.rollback)
    }
  }

  /** One change at a time: nothing is awaited between the last check of `opening` and the input. */
  async function change(input: () => ActiveSettingsInput): Promise<string | undefined> {
    while (opening) await opening
    if (isStopped) return 'the Bird is stopping'
    machine.send(input())
    return opening
  }

  return {
    async start() {
      await change(() => ({ name: 'start', stored: file.load() }))
    },
    apply: async (bundle) =>
      settingsProblem(descriptors, bundle.settings) ?? (await change(() => ({ name: 'apply', bundle }))),
    confirm: () => machine.send({ name: 'confirm' }),
    refresh: async () => (current() ? change(() => ({ name: 'refresh' })) : 'there are no settings yet'),
    current: () => current() ?? { tag: '', seq: 0 },
    setting: (key) => current()?.settings[key],
    serviceCount: () => new Set(host.listening().map(({ instance }) => instance)).size,
    async stop() {
      isStopped = true
      while (opening) await opening
      machine.stop()
    },
  }
}
