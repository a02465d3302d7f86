// What the commands of the console do (packages/link/README.md lists them).
import type { Host } from '@rookery/decoys/host/host.ts'
import type { ActiveSettings } from './active-settings/active-settings.ts'
import type { BirdLog } from './bird-log.ts'
import type { Boot } from './boot.ts'
import type { CommandResult, Commands } from './commands.ts'
import type { Lifecycle } from './lifecycle.ts'

export interface BirdCommandsDeps {
  readonly boot: Boot
  readonly host: Pick<Host, 'apply'>
  readonly settings: ActiveSettings
  readonly lifecycle: Lifecycle
  readonly log: Pick<BirdLog, 'report'>
  readonly restartLink: (reason: string) => void
}

export function birdCommands(deps: BirdCommandsDeps): Commands {
  const { boot, host, settings, lifecycle, log } = deps

  async function reboot(): Promise<void> {
    deps.restartLink('rebooting')
    await host.apply([])
    boot.restart()
    await settings.start()
  }
  const rebootFailed = (error: Error): void => log.report('error', `The reboot failed: ${error.message}.`)
  const done = (detail: string, afterwards: () => void): Promise<CommandResult> =>
    Promise.resolve({ ok: true, detail, afterwards })

  return {
    reboot: () => done('rebooting', () => void reboot().catch(rebootFailed)),
    poweroff: () =>
      done('powering off', () => void lifecycle.end('powered-off', 'its console powered it off')),
    decommission: () =>
      done('wiping itself', () => void lifecycle.end('decommissioned', 'its console decommissioned it')),
    async 'refresh-settings'() {
      const problem = await settings.refresh()
      const detail = problem ?? `${settings.serviceCount()} services are open`
      return { ok: problem === undefined, detail }
    },
  }
}
