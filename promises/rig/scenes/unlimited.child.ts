// The console without the bound of 60 alerts a minute to a receiver, for the cases that measure how fast alerts go out.
// All else is as `rookery serve` has it.
import { pino } from 'pino'
import { openConsole } from '@rookery/console/build.ts'
import { environment, readConfig } from '@rookery/console/config/config.ts'
import { openRealWorld } from '@rookery/console/world/real.ts'

const config = readConfig(environment())
const console = await openConsole({
  config,
  world: openRealWorld(config),
  log: pino({ level: config.ROOKERY_LOG }, pino.destination({ fd: 2, sync: false })),
  alerting: { perMinute: Infinity },
})
process.once('SIGTERM', () => void console.stop().then(() => process.exit()))
