// The process of a single proof: node promises/tools/lib/one.ts <name> <folder>. Its exit code is the outcome (EXIT in proof.ts).
import { EXIT, loadProof, missing } from './proof.ts'

const [name = '', folder = ''] = process.argv.slice(2)
const say = (line: string): void => console.log(`  ${line}`)
let isSkipped = false
const skip = (reason: string): void => {
  isSkipped = true
  say(`skipped: ${reason}`)
}

async function run(): Promise<number> {
  const proof = await loadProof(name)
  const absent = missing(proof.needs ?? [])
  if (absent !== undefined) skip(absent)
  else await proof.prove({ folder, say, skip })
  return isSkipped ? EXIT.skipped : EXIT.passed
}

try {
  process.exit(await run())
} catch (error) {
  console.log(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(EXIT.failed)
}
