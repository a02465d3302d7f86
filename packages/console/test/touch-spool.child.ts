// A console in a process of its own, to be killed: node touch-spool.child.ts DATA_DIR DATABASE_URL (empty for SQLite). Prints
// the addresses of its API, of its tokens, and of their logins by MySQL and PostgreSQL.
import { flushCompileCache } from 'node:module'
import { pino } from 'pino'
import { openConsole } from '../src/build.ts'
import { readConfig } from '../src/config/config.ts'
import { openRealWorld } from '../src/world/real.ts'
import { FREE_PORTS } from './free-ports.ts'

const [dataDir = '', url = ''] = process.argv.slice(2)
const config = readConfig({
  ROOKERY_DATA_DIR: dataDir,
  ROOKERY_DATABASE_URL: url,
  ...FREE_PORTS,
  ROOKERY_BOOTSTRAP_KEY: '0123456789abcdef0123456789abcdef',
})
const log = pino({ level: 'silent' })
const console = await openConsole({ config, world: openRealWorld(config), log })
// It is killed, and would keep nothing of what it compiled for the next one.
flushCompileCache()
const { apiUrl, tokensUrl, mysqlAddress, postgresAddress } = console
process.stdout.write(`${apiUrl} ${tokensUrl} ${mysqlAddress} ${postgresAddress}\n`)
