// A probe: its name, and what it does with a new connection. `run` returns what the server sent, one entry a message.
import { openClient } from '../client.ts'

export interface Probe {
  readonly name: string
  readonly run: (client: Awaited<ReturnType<typeof openClient>>) => Promise<string[]>
}

/** Runs a probe against a server. Line ends are removed, because a reset may discard the last one. */
export async function runProbe(probe: Probe, port: number): Promise<string[]> {
  const client = await openClient(port)
  try {
    return (await probe.run(client)).map((text) => text.trimEnd())
  } finally {
    client.destroy()
  }
}
