// A Bird in a process of its own, to be killed: node child.ts CONSOLE DATA_DIR. Prints the port of its line decoy when that stands.
import { runBird } from '../src/agent.ts'
import { lineService } from './line-service.ts'

const [consoleUrl = '', dataDir = ''] = process.argv.slice(2)
let told = 0
const tell = (port: number | undefined): void => {
  if (port === undefined || port === told) return
  told = port
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
  onChange: ({ listening }) => tell(listening[0]?.boundPort),
})
tell(bird.state().listening[0]?.boundPort)
