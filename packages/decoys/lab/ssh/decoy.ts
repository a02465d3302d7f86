// An SSH decoy on a free port, for tests with real clients.
import { repeatedGuesses } from '../../src/session/repeated-guesses.ts'
import type { Host } from '../../src/host/host.ts'
import type { HostTouch } from '../../src/host/host-touch.ts'
import { openTestHost, portOf } from '../../test/test-host.ts'
import { sessionRunner } from '../../src/session/session-runner.ts'
import { sshSession } from '../../src/services/ssh/products/openssh/session.ts'
import type { SshConfig } from '../../src/services/ssh/protocol/state.ts'
import { defaultVersion } from '../../src/services/ssh/products/openssh/versions/all.ts'

export const withoutDelays: SshConfig = {
  version: defaultVersion,
  banner: '',
  pamDelayMs: 0,
  repeatedGuesses: repeatedGuesses(),
  budget: { reserve: () => 0, isFull: () => false },
}

export async function openDecoy(
  config: SshConfig = withoutDelays,
): Promise<{ host: Host; port: number; touches: HostTouch[] }> {
  const { host, touches } = openTestHost()
  await host.apply([
    { instance: 'ssh', transport: 'tcp', port: 22, startSession: sessionRunner(sshSession(config)) },
  ])
  return { host, port: portOf(host, 'ssh'), touches }
}
