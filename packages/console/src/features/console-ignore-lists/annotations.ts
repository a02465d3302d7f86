// The known scanners, each an annotation, whose touches are ignored.
import { Fault } from '@rookery/kernel/fault.ts'
import { findAnnotation } from '@rookery/tokens/annotations.ts'
import type { Query } from '../../db/query.ts'
import { addLine, CONSOLE, readLines, replaceLines } from '../../stores/ignore/store.ts'
import { isEnabled, switchList, type ListHandlers } from './lists.ts'
import { annotationView, checkedAnnotation } from './model.ts'

export const annotationHandlers = (reader: Query) =>
  ({
    async ignoredAnnotations() {
      const names = await readLines(reader, 'annotation', CONSOLE)
      const known = names.map(findAnnotation).filter((annotation) => annotation !== undefined)
      return { ignored_annotations: known.map(annotationView) }
    },
    async ignoreAnnotation({ annotation }, { change }) {
      const { name } = checkedAnnotation(annotation)
      await change((tx) => addLine(tx, 'annotation', CONSOLE, name))
      return { message: 'Annotation successfully ignored' }
    },
    async removeAnnotation({ annotation }, { change }) {
      const { name } = checkedAnnotation(annotation)
      await change(async (tx) => {
        const names = await readLines(tx.query, 'annotation', CONSOLE)
        if (!names.includes(name)) throw new Fault('not-found', `Annotation ${name} is not ignored.`)
        const kept = names.filter((it) => it !== name)
        await replaceLines(tx, 'annotation', CONSOLE, kept)
      })
      return { message: 'Annotation removed successfully' }
    },
    enableAnnotations: switchList('annotation', true),
    disableAnnotations: switchList('annotation', false),
    async isAnnotationIgnored({ annotation }) {
      const { name } = checkedAnnotation(annotation)
      return {
        ignored: (await readLines(reader, 'annotation', CONSOLE)).includes(name),
        is_enabled: await isEnabled(reader, 'annotation'),
      }
    },
  }) satisfies ListHandlers
