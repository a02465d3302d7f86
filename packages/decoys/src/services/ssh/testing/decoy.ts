// A decoy on a port of its own, for tests with real tools.
import { openCutGuesses } from '../../../cut-guesses.ts'
import type { Host } from '../../../host/host.ts'
import type { HostTouch } from '../../../host/house.ts'
import { hostForTests, portOf } from '../../../../test/world.ts'
import { session } from '../../../converse.ts'
import { sshSession } from '../session.ts'
import type { SshPersonality } from '../state.ts'
import { versions } from '../versions/all.ts'

export const quick: SshPersonality = {
  version: versions[0]!,
  banner: '',
  passwordDelayMs: 0,
  cutGuesses: openCutGuesses(),
}

export async function openDecoy(
  personality: SshPersonality = quick,
): Promise<{ host: Host; port: number; touches: HostTouch[] }> {
  const { host, touches } = hostForTests()
  await host.apply([
    { instance: 'ssh', transport: 'tcp', port: 22, converse: session(sshSession(personality)) },
  ])
  return { host, port: portOf(host, 'ssh'), touches }
}
