// A decoy on a port of its own, for tests with real tools.
import { repeatedGuesses } from '../../../repeated-guesses.ts'
import type { Host } from '../../../host/host.ts'
import type { HostTouch } from '../../../host/host-context.ts'
import { openTestHost, portOf } from '../../../../test/test-host.ts'
import { sessionRunner } from '../../../session-runner.ts'
import { sshSession } from '../session.ts'
import type { SshPersonality } from '../state.ts'
import { versions } from '../versions/all.ts'

export const quick: SshPersonality = {
  version: versions[0]!,
  banner: '',
  passwordDelayMs: 0,
  repeatedGuesses: repeatedGuesses(),
}

export async function openDecoy(
  personality: SshPersonality = quick,
): Promise<{ host: Host; port: number; touches: HostTouch[] }> {
  const { host, touches } = openTestHost()
  await host.apply([
    { instance: 'ssh', transport: 'tcp', port: 22, startSession: sessionRunner(sshSession(personality)) },
  ])
  return { host, port: portOf(host, 'ssh'), touches }
}
