// Replays a probe in a world in which the same bytes always get the same answer.
import { createHash } from 'node:crypto'
import type { Answer, Probe } from '../../../test/probe.ts'
import { replay } from '../../../test/replay.ts'
import { deriveFrom, testContext } from '../../../test/session-context.ts'
import { openServer } from '../../../src/services/mssql/service.ts'
import { versionNamed } from '../../../src/services/mssql/products/sql-server/profile.ts'
import { NAMES } from '../conversation.ts'

export function fixedReplay(probe: Probe): Answer {
  const random = (length: number): Buffer =>
    createHash('shake256', { outputLength: length }).update('random').digest()
  const context = testContext({ derive: deriveFrom('bird-1'), random })
  return replay(probe, openServer(versionNamed('2019'), NAMES), context)
}
