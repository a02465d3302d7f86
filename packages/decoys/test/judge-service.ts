// Starts the real server and our decoy of a service next to each other, and asks both fresh probes.
import { join } from 'node:path'
import { compareFresh, type FreshResult, type Grammar } from './fresh.ts'
import { REAL_HOST, realServers, startProgram, startRealServer } from './real-servers.ts'

const OUR_HOST = '127.0.0.1'

/** Needs the real ports of both addresses: a network namespace of its own. */
export async function judgeService(
  service: string,
  count: number,
  seed: string,
  folder: string,
): Promise<FreshResult> {
  const server = realServers.find((one) => one.service === service)
  if (!server) {
    throw new Error(
      `There is no real server for "${service}"; there is one for ${realServers.map((one) => one.service).join(', ')}.`,
    )
  }
  const { grammar } = (await import(`../src/services/${service}/golden/grammar.ts`)) as { grammar: Grammar }
  const { port } = server
  const [real, ours] = [
    { host: REAL_HOST, port },
    { host: OUR_HOST, port },
  ]
  const running = await startRealServer(server, folder)
  try {
    const serve = [join(import.meta.dirname, 'serve.ts'), `${service}.enabled=true`]
    const decoy = await startProgram(
      process.execPath,
      serve,
      { ...process.env, DECOYS_QUIET: '1', DECOYS_BIND: OUR_HOST },
      ours,
    )
    try {
      return await compareFresh({ grammar, seed, count, real, ours })
    } finally {
      await decoy.stop()
    }
  } finally {
    await running.stop()
  }
}
