// A real browser for tests: `CHROMIUM`, else the system's, else the one that a package of the registry brings.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** A name that leads to this machine, which to a browser is another one. */
export const ELSEWHERE = 'console.test'
/** Without these it asks for hosts of its maker. Its package's own `args` would switch web security off. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`,
]

/** Started once for a test file; the caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const found = [process.env['CHROMIUM'] ?? '', ...SYSTEM].find((path) => path !== '' && existsSync(path))
  const executablePath = found ?? (await packaged())
  return chromium.launch({ executablePath, args: ARGS, env: { ...process.env } as Record<string, string> })
}

/**
 * The binary of `@sparticuz/chromium`, unpacked once into a folder of its version, with the libraries that a bare Debian has
 * not. The package unpacks into the temporary folder, and takes whatever `chromium` lies there.
 */
async function packaged(): Promise<string> {
  const bin = join(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '../../bin')
  const { version } = JSON.parse(readFileSync(join(bin, '../package.json'), 'utf8')) as { version: string }
  const folder = join(tmpdir(), `rookery-chromium-${version}`)
  if (!existsSync(folder)) {
    const mine = `${folder}.${process.pid}`
    mkdirSync(mine, { recursive: true })
    await withTemporaryFolder(mine, async () => {
      const { default: sparticuz, inflate } = await import('@sparticuz/chromium')
      await sparticuz.executablePath(bin)
      await inflate(join(bin, 'al2023.tar.br'))
    })
    // Another worker may have been first.
    if (existsSync(folder)) rmSync(mine, { recursive: true })
    else renameSync(mine, folder)
  }
  process.env['LD_LIBRARY_PATH'] = join(folder, 'al2023/lib')
  return join(folder, 'chromium')
}

async function withTemporaryFolder(folder: string, work: () => Promise<unknown>): Promise<void> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    await work()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
