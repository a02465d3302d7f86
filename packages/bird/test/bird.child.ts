// A Bird in a process that the test kills: node bird.child.ts CONSOLE DATA_DIR. Prints the port of its line decoy once that is open.
import { runBird } from '../src/run-bird.ts'
import { lineService } from './line-service.ts'

const [consoleUrl = '', dataDir = ''] = process.argv.slice(2)
let printed = 0
function printPort(port: number | undefined): void {
  if (port === undefined || port === printed) return
  printed = port
  process.stdout.write(`port ${port}\n`)
}
const bird = await runBird({
  consoleUrl,
  dataDir,
  bind: '127.0.0.1',
  portOffset: 'any',
  services: { line: lineService },
  log: (_level, message) => process.stderr.write(`${message}\n`),
  maxBackoffMs: 100,
  onChange: ({ listening }) => printPort(listening[0]?.boundPort),
})
printPort(bird.state().listening[0]?.boundPort)
