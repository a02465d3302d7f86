// The parent of `rookery up`, `serve` and `bird`: `node supervisor.process.mjs <arguments of the child's Node>`. It is small, since it
// runs as long as its child.
import { supervise } from './supervise.ts'

const end = await supervise(process.execPath, process.argv.slice(2))
if ('code' in end) process.exit(end.code)
process.removeAllListeners(end.signal)
process.kill(process.pid, end.signal)
