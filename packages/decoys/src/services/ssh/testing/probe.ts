// One probe: a name, and what it does with a fresh connection. It answers what the server said, an entry for each message.
import { openClient } from './client.ts'

export interface Probe {
  readonly name: string
  readonly run: (client: Awaited<ReturnType<typeof openClient>>) => Promise<string[]>
}

/** Runs one probe against a server. Line endings are left out: a reset may swallow the last one. */
export async function runProbe(probe: Probe, port: number): Promise<string[]> {
  const client = await openClient(port)
  try {
    return (await probe.run(client)).map((text) => text.trimEnd())
  } finally {
    client.destroy()
  }
}
