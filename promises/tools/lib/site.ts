// A web site of this machine under any name, and a browser that opens it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { run, type Ran } from './command.ts'

export interface Site {
  readonly port: number
  close(): void
}

/** Every path is this page. */
export async function serveSite(html: string): Promise<Site> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

const browserArguments = (folder: string): string[] => [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--host-resolver-rules=MAP * 127.0.0.1',
  `--user-data-dir=${folder}`,
]

/** Opens the address in a browser that finds every name on this machine; answers the page as it stands at the end. */
export const openInChromium = (url: string, folder: string): Promise<Ran> =>
  run(
    'chromium',
    [...browserArguments(folder), '--timeout=20000', '--virtual-time-budget=6000', '--dump-dom', url],
    { env: { ...process.env, HOME: folder }, patienceMs: 60_000 },
  )

/** Opens the address as an installed app, in a window of its own, for this time. */
export const openAsApp = (url: string, folder: string, seconds: number): Promise<Ran> =>
  run('timeout', [String(seconds), 'chromium', ...browserArguments(folder), `--app=${url}`], {
    env: { ...process.env, HOME: folder },
    patienceMs: 60_000,
  })
