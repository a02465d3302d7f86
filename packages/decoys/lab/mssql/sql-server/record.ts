// Records `answers.json` anew, from the decoy itself: `node record.ts`. `corpus.test.ts` compares each answer with
// the document's claim, too.
import { writeFileSync } from 'node:fs'
import { probes } from './corpus.ts'
import { fixedReplay } from './fixed-replay.ts'

const answers = Object.fromEntries(probes.map((probe) => [probe.name, fixedReplay(probe)]))
writeFileSync(new URL('./answers.json', import.meta.url), JSON.stringify(answers, null, 1) + '\n')
console.log(`${probes.length} answers recorded`)
