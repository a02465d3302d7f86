// The order of test files. A clone without a record of earlier runs begins with its largest files; gates are small files that
// run for long, and would keep one worker busy at the end while the others have nothing left.
import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isGate = (root: string, { moduleId }: TestSpecification): boolean =>
  relative(root, moduleId).startsWith(`promises${sep}safety${sep}`)

export class GatesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const { root } = this.ctx.config
    return [...sorted.filter((it) => isGate(root, it)), ...sorted.filter((it) => !isGate(root, it))]
  }
}
