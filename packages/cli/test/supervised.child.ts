// A program under the supervisor: node supervised.child.ts [EXIT_CODE before it serves]. Prints its process id; computes for ever on SIGUSR2.
import { supervised } from '../src/supervisor/supervised.ts'
import { startWatchdog } from '../src/watchdog/watchdog.ts'

const tellStarted = supervised()
const [, , code] = process.argv
if (code !== undefined) process.exit(Number(code))
startWatchdog({ silenceMs: 500 })
tellStarted()
process.on('SIGUSR2', () => {
  for (let n = 0; ; n++) if (n < 0) return
})
process.on('SIGTERM', () => process.exit(7))
process.on('SIGUSR1', () => process.exit(0))
// Nothing else keeps it running.
setInterval(() => undefined, 3_600_000)
process.stdout.write(`pid ${process.pid}\n`)
